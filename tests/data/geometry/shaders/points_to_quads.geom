#version 450
// A point becomes a quad that faces the viewer; its size and colour come with the vertex.
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(push_constant) uniform Camera { mat4 projection; vec2 aspect; } camera;
layout(location = 0) in vec4 colour[];
layout(location = 1) in float size[];
layout(location = 0) out vec4 shade;
layout(location = 1) out vec2 uv;
const vec2 corners[4] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(1, 1));
void main() {
    vec4 centre = gl_in[0].gl_Position;
    if (centre.w <= 0.0) return;
    for (int i = 0; i < 4; ++i) {
        vec4 at = centre;
        at.xy += corners[i] * size[0] * camera.aspect;
        gl_Position = camera.projection * at;
        shade = colour[0];
        uv = corners[i] * 0.5 + 0.5;
        EmitVertex();
    }
    EndPrimitive();
}
