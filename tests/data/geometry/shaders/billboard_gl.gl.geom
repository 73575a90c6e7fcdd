#version 330 core
// OpenGL as it was written in 2013: plain uniforms, no locations.
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
uniform mat4 view;
uniform mat4 projection;
uniform vec3 up;
in vec3 kind[];
out vec3 tint;
out vec2 uv;
void main() {
    vec3 at = gl_in[0].gl_Position.xyz;
    vec3 to_viewer = normalize(-(view * vec4(at, 1.0)).xyz);
    vec3 right = cross(up, to_viewer) * gl_in[0].gl_PointSize;
    vec3 above = up * gl_in[0].gl_PointSize;
    mat4 both = projection * view;
    tint = kind[0];
    at -= right * 0.5;
    gl_Position = both * vec4(at, 1.0); uv = vec2(0, 0); EmitVertex();
    at += above;
    gl_Position = both * vec4(at, 1.0); uv = vec2(0, 1); EmitVertex();
    at += right - above;
    gl_Position = both * vec4(at, 1.0); uv = vec2(1, 0); EmitVertex();
    at += above;
    gl_Position = both * vec4(at, 1.0); uv = vec2(1, 1); EmitVertex();
    EndPrimitive();
}
