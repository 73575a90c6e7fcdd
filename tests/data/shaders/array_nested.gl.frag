#version 450
layout(location=0) in vec4 c;
layout(location=1) flat in ivec4 ix;
layout(location=0) out vec4 color;
layout(binding=1) uniform sampler2D s[2][3];
void main() {
    color = vec4(texture(s[ix.x][ix.y], c.xy));
}
