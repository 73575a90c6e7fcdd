#version 450
layout(location=0) in vec4 c;
layout(location=1) flat in ivec4 ix;
layout(location=0) out vec4 color;
layout(binding=1) uniform sampler2D s;
void main() {
    color = vec4(0);
    switch (ix.x) {
    case 1: color += texture(s, c.xy); break;
    case 2: color += textureLod(s, c.zw, 0.0);
    default: color *= 2.0;
    }
}
