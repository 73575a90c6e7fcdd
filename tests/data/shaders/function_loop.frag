#version 450
layout(location=0) in vec4 c;
layout(location=1) flat in ivec4 ix;
layout(location=0) out vec4 color;
layout(binding=1) uniform sampler2D s;
vec4 f(sampler2D q, vec2 p) { vec4 sum = vec4(0); for (int n = 0; n < 3; ++n) { if (n == ix.x) return sum; sum += texture(q, p * float(n)); } return sum; }
void main() {
    color = f(s, c.xy);
}
