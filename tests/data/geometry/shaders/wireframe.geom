#version 450
// Solid wireframe: the distance to each edge goes with the vertices.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(push_constant) uniform Viewport { vec2 size; } viewport;
layout(location = 0) out vec3 distance_px;
void main() {
    vec2 p[3];
    for (int i = 0; i < 3; ++i) p[i] = viewport.size * gl_in[i].gl_Position.xy / gl_in[i].gl_Position.w;
    vec2 a = p[2] - p[1], b = p[2] - p[0], c = p[1] - p[0];
    float area = abs(b.x * c.y - b.y * c.x);
    vec3 heights = vec3(area / length(a), area / length(b), area / length(c));
    for (int i = 0; i < 3; ++i) {
        distance_px = vec3(0);
        distance_px[i] = heights[i];
        gl_Position = gl_in[i].gl_Position;
        gl_PrimitiveID = gl_PrimitiveIDIn;
        EmitVertex();
    }
    EndPrimitive();
}
