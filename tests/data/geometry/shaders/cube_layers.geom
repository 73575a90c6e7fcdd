#version 450
// A cube map in one pass: one invocation a face, each writes its layer.
layout(triangles, invocations = 6) in;
layout(triangle_strip, max_vertices = 3) out;
layout(binding = 0) uniform Faces { mat4 view_projection[6]; } faces;
layout(location = 0) in vec3 normal[];
layout(location = 0) out vec3 shade;
void main() {
    for (int i = 0; i < 3; ++i) {
        gl_Layer = gl_InvocationID;
        gl_Position = faces.view_projection[gl_InvocationID] * gl_in[i].gl_Position;
        shade = normal[i];
        EmitVertex();
    }
    EndPrimitive();
}
