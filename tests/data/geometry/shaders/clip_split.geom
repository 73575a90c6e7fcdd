#version 450
// A triangle for each of two viewports, clipped at the middle plane.
layout(triangles, invocations = 2) in;
layout(triangle_strip, max_vertices = 3) out;
layout(binding = 0) uniform Eyes { mat4 projection[2]; vec4 plane; } eyes;
in gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; } gl_in[];
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[3]; };
void main() {
    mat4 projection = eyes.projection[gl_InvocationID];
    for (int i = 0; i < 3; ++i) {
        gl_Position = projection * gl_in[i].gl_Position;
        gl_ClipDistance[0] = gl_in[i].gl_ClipDistance[0];
        gl_ClipDistance[1] = gl_in[i].gl_ClipDistance[1];
        gl_ClipDistance[2] = dot(eyes.plane, gl_in[i].gl_Position);
        gl_ViewportIndex = gl_InvocationID;
        EmitVertex();
    }
    EndPrimitive();
}
