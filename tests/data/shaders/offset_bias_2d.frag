#version 450
layout(location=0) in vec4 c;
layout(location=1) flat in ivec4 ix;
layout(location=0) out vec4 color;
layout(binding=1) uniform sampler2D s;
void main() {
    color = vec4(textureOffset(s, c.xy, ivec2(2, -1), c.z));
}
