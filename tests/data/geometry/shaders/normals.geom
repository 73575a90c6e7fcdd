#version 450
// Normals as lines, for debugging.
layout(triangles) in;
layout(line_strip, max_vertices = 8) out;
layout(binding = 0) uniform Transform { mat4 mvp; float length_; } transform;
layout(location = 0) in vec3 normal[];
layout(location = 0) out vec4 colour;
void line(vec4 from, vec3 along, vec4 with) {
    colour = with;
    gl_Position = transform.mvp * from;
    EmitVertex();
    gl_Position = transform.mvp * (from + vec4(along * transform.length_, 0));
    EmitVertex();
    EndPrimitive();
}
void main() {
    vec4 middle = vec4(0);
    vec3 face = cross(gl_in[1].gl_Position.xyz - gl_in[0].gl_Position.xyz, gl_in[2].gl_Position.xyz - gl_in[0].gl_Position.xyz);
    for (int i = 0; i < 3; ++i) {
        line(gl_in[i].gl_Position, normal[i], vec4(1, 1, 0, 1));
        middle += gl_in[i].gl_Position / 3.0;
    }
    line(middle, normalize(face), vec4(0, 1, 1, 1));
}
