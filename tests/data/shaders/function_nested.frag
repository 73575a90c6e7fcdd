#version 450
layout(location=0) in vec4 c;
layout(location=1) flat in ivec4 ix;
layout(location=0) out vec4 color;
layout(binding=1) uniform sampler2D s;
layout(binding=2) uniform sampler2D u;
vec4 f(sampler2D q, vec2 p) { return texture(q, p); }
vec4 g(sampler2D q, vec2 p) { return f(q, p * 2.0) + textureLod(q, p, 0.0); }

void main() {
    color = g(s, c.xy) + g(u, c.yx) + f(s, c.zw);
}
