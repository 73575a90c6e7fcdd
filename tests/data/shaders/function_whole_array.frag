#version 450
layout(location=0) in vec4 c;
layout(location=1) flat in ivec4 ix;
layout(location=0) out vec4 color;
layout(binding=1) uniform sampler2D s[4];
vec4 f(sampler2D q[4], int n) { return texture(q[n], c.xy); }
void main() {
    color = f(s, 2) + f(s, ix.x);
}
