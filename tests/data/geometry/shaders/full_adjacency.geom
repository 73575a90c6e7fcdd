#version 450
// As many inputs as there may be (64 components) of as many vertices as there may be (6): the payload alone fills DUAL_OBJECT.
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 data[][16];
layout(location = 0) out vec4 sums[4];
void main() {
    for (int v = 0; v < 6; v += 2) {
        for (int i = 0; i < 4; ++i)
            sums[i] = data[v][4 * i] + data[v][4 * i + 1] * data[v + 1][4 * i + 2] + data[v + 1][4 * i + 3];
        gl_Position = gl_in[v].gl_Position;
        EmitVertex();
    }
}
