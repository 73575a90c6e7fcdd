#version 450
// A triangle into rows of smaller ones, displaced: nested loops whose counts are known at run time only.
layout(triangles) in;
layout(triangle_strip, max_vertices = 64) out;
layout(push_constant) uniform Settings { mat4 mvp; int rows; float bulge; } settings;
layout(location = 0) in vec3 normal[];
layout(location = 0) out vec3 shade;
void corner(float u, float v) {
    vec3 weights = vec3(1.0 - u - v, u, v);
    vec4 at = weights.x * gl_in[0].gl_Position + weights.y * gl_in[1].gl_Position + weights.z * gl_in[2].gl_Position;
    vec3 along = normalize(weights.x * normal[0] + weights.y * normal[1] + weights.z * normal[2]);
    gl_Position = settings.mvp * (at + vec4(along * settings.bulge * u * v, 0));
    shade = along;
    EmitVertex();
}
void main() {
    int rows = clamp(settings.rows, 1, 5);
    float step_ = 1.0 / float(rows);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column <= row; ++column) {
            if (column > 8) continue;
            corner(float(row - column) * step_, float(column) * step_);
            corner(float(row - column + 1) * step_, float(column) * step_);
        }
        corner(0.0, float(row + 1) * step_);
        EndPrimitive();
    }
}
