#version 450
layout(local_size_x=8) in;
layout(binding=1) uniform sampler2D s;
layout(binding=3) buffer Out { vec4 color[]; };
void main() {
    color[gl_GlobalInvocationID.x] = textureLod(s, vec2(gl_GlobalInvocationID.xy) * 0.3, 0.0);
}
