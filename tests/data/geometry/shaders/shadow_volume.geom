#version 450
// A shadow volume: the silhouette drawn out from the light to infinity, with both caps.
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 18) out;
layout(binding = 0) uniform Light { mat4 projection; vec4 position; } light;
layout(location = 0) in vec3 view[];
void send(vec4 at) { gl_Position = light.projection * at; EmitVertex(); }
vec4 far(vec3 at) { return vec4(at - light.position.xyz, 0.0); }
bool lit(vec3 a, vec3 b, vec3 c) { return dot(cross(b - a, c - a), light.position.xyz - a) > 0.0; }
void side(vec3 a, vec3 b) {
    send(vec4(a, 1)); send(far(a)); send(vec4(b, 1)); send(far(b));
    EndPrimitive();
}
void main() {
    if (lit(view[0], view[2], view[4])) {
        if (!lit(view[0], view[1], view[2])) side(view[0], view[2]);
        if (!lit(view[2], view[3], view[4])) side(view[2], view[4]);
        if (!lit(view[4], view[5], view[0])) side(view[4], view[0]);
        send(vec4(view[0], 1)); send(vec4(view[2], 1)); send(vec4(view[4], 1));
        EndPrimitive();
        send(far(view[0])); send(far(view[4])); send(far(view[2]));
        EndPrimitive();
    }
}
