#version 450
// Triangles with adjacency: an edge is drawn as a thick line where one side faces the viewer and the other does not.
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 12) out;
layout(push_constant) uniform Settings { vec4 viewer; float width; } settings;
layout(location = 0) in vec3 world[];
layout(location = 0) out float along;
bool faces(vec3 a, vec3 b, vec3 c) { return dot(cross(b - a, c - a), settings.viewer.xyz - a) > 0.0; }
void edge(vec4 a, vec4 b) {
    vec2 across = normalize(b.xy / b.w - a.xy / a.w).yx * vec2(-1, 1) * settings.width;
    along = 0.0;
    gl_Position = a - vec4(across * a.w, 0, 0); EmitVertex();
    gl_Position = a + vec4(across * a.w, 0, 0); EmitVertex();
    along = 1.0;
    gl_Position = b - vec4(across * b.w, 0, 0); EmitVertex();
    gl_Position = b + vec4(across * b.w, 0, 0); EmitVertex();
    EndPrimitive();
}
void main() {
    if (!faces(world[0], world[2], world[4])) return;
    for (int i = 0; i < 6; i += 2) {
        int next = (i + 2) % 6;
        if (!faces(world[i], world[i + 1], world[next])) edge(gl_in[i].gl_Position, gl_in[next].gl_Position);
    }
}
