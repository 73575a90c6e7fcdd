#version 450
#extension GL_ARB_sparse_texture2 : require
layout(location=0) in vec4 c;
layout(location=1) flat in ivec4 ix;
layout(location=0) out vec4 color;
layout(binding=1) uniform sampler2DShadow s;
void main() {
    float t; int code = sparseTextureARB(s, c.xyz, t); color = vec4(t * float(code));
}
