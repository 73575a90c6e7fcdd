#version 450
layout(location=0) in vec4 c;
layout(location=1) flat in ivec4 ix;
layout(location=0) out vec4 color;
layout(binding=1) uniform texture2D t[3];
layout(binding=2) uniform sampler p[2];
void main() {
    color = texture(sampler2D(t[1], p[ix.x]), c.xy);
}
