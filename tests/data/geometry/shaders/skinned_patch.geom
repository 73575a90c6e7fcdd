#version 450
// A bicubic patch in the geometry shader: sixteen control points from four vertices, all alive while rows are drawn.
layout(lines_adjacency) in;
layout(triangle_strip, max_vertices = 50) out;
layout(push_constant) uniform Transform { mat4 mvp; int rows; } transform;
layout(location = 0) in vec4 tangent_u[];
layout(location = 1) in vec4 tangent_v[];
layout(location = 2) in vec4 twist[];
layout(location = 0) out vec4 normal;
vec4 bernstein(float t) {
    float s = 1.0 - t;
    return vec4(s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t);
}
vec4 slope(float t) {
    float s = 1.0 - t;
    return vec4(-3.0 * s * s, 3.0 * s * s - 6.0 * s * t, 6.0 * s * t - 3.0 * t * t, 3.0 * t * t);
}
void main() {
    vec4 p[16];
    for (int v = 0; v < 4; ++v) {
        vec4 at = gl_in[v].gl_Position;
        p[4 * v] = at;
        p[4 * v + 1] = at + tangent_u[v] / 3.0;
        p[4 * v + 2] = at + tangent_v[v] / 3.0;
        p[4 * v + 3] = at + (tangent_u[v] + tangent_v[v]) / 3.0 + twist[v] / 9.0;
    }
    for (int row = 0; row < transform.rows; ++row) {
        for (int column = 0; column < 9; ++column) {
            float u = float(row + (column & 1)) / float(transform.rows), v = float(column) / 8.0;
            vec4 bu = bernstein(u), bv = bernstein(v), du = slope(u), dv = slope(v);
            vec4 at = vec4(0), along_u = vec4(0), along_v = vec4(0);
            for (int i = 0; i < 4; ++i) {
                vec4 line = bv.x * p[4 * i] + bv.y * p[4 * i + 1] + bv.z * p[4 * i + 2] + bv.w * p[4 * i + 3];
                vec4 rise = dv.x * p[4 * i] + dv.y * p[4 * i + 1] + dv.z * p[4 * i + 2] + dv.w * p[4 * i + 3];
                at += bu[i] * line;
                along_u += du[i] * line;
                along_v += bu[i] * rise;
            }
            gl_Position = transform.mvp * at;
            normal = vec4(normalize(cross(along_u.xyz, along_v.xyz)), 0);
            EmitVertex();
        }
        EndPrimitive();
    }
}
