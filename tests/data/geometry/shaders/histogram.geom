#version 450
// An array indexed at run time lies in scratch memory, whatever the registers hold.
layout(points) in;
layout(points, max_vertices = 8) out;
layout(location = 0) in vec4 samples[][4];
layout(location = 0) out float count;
void main() {
    float bins[8];
    for (int i = 0; i < 8; ++i) bins[i] = 0.0;
    for (int i = 0; i < 4; ++i)
        for (int c = 0; c < 4; ++c)
            bins[int(samples[0][i][c] * 8.0) & 7] += 1.0;
    for (int i = 0; i < 8; ++i) {
        count = bins[i];
        gl_Position = vec4(float(i) / 4.0 - 1.0, bins[i], 0, 1);
        gl_PointSize = 1.0;
        EmitVertex();
    }
}
