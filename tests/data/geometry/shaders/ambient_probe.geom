#version 450
// Thirteen samples for each of six vertices, all needed for each vertex: they fit beside interleaved inputs only.
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 6) out;
layout(binding = 0) uniform sampler3D probes;
layout(location = 0) in vec3 at[];
layout(location = 1) in vec3 normal[];
layout(location = 2) in vec4 weights[][2];
layout(location = 0) out vec4 ambient;
void main() {
    vec4 taken[78];
    for (int v = 0; v < 6; ++v)
        for (int i = 0; i < 13; ++i)
            taken[13 * v + i] = textureLod(probes, at[v] + normal[v] * float(i) * 0.125, 0.0);
    for (int v = 0; v < 6; ++v) {
        ambient = vec4(0);
        for (int i = 0; i < 26; ++i) ambient += taken[(3 * i + v) % 78] * taken[77 - i] * weights[v][i & 1];
        gl_Position = gl_in[v].gl_Position;
        EmitVertex();
    }
}
