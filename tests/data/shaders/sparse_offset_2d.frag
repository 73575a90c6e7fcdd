#version 450
#extension GL_ARB_sparse_texture2 : require
layout(location=0) in vec4 c;
layout(location=1) flat in ivec4 ix;
layout(location=0) out vec4 color;
layout(binding=1) uniform sampler2D s;
void main() {
    vec4 t; int code = sparseTextureOffsetARB(s, c.xy, ivec2(1, 2), t); color = t * float(code);
}
