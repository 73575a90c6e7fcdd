#version 450
// Ninety-six samples are taken first and used last, from both ends: more values at once than there are registers.
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 6) out;
layout(binding = 0) uniform sampler2D irradiance;
layout(location = 0) in vec4 uv[][4];
layout(location = 0) out vec4 light[4];
void main() {
    vec4 taken[96];
    for (int v = 0; v < 6; ++v)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                taken[16 * v + 4 * i + j] = textureLod(irradiance, uv[v][i].xy + uv[v][i].zw * float(j), 0.0);
    for (int v = 0; v < 6; ++v) {
        for (int i = 0; i < 4; ++i) {
            light[i] = vec4(0);
            for (int j = 0; j < 16; ++j) light[i] += taken[(16 * v + 5 * j + i) % 96] * taken[95 - j - i];
        }
        gl_Position = gl_in[v].gl_Position;
        EmitVertex();
    }
}
