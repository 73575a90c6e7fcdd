#version 450
// Particle trails: a line drawn as a ribbon along its last positions, by the particle's kind.
layout(lines) in;
layout(triangle_strip, max_vertices = 20) out;
layout(binding = 0) uniform Scene { mat4 view_projection; vec4 eye; float time; } scene;
layout(location = 0) in Particle { vec3 velocity; float age; flat int kind; } particle[];
layout(location = 0) out vec4 colour;
vec4 paint(int kind, float age) {
    switch (kind) {
    case 0: return vec4(1, 0.5, 0, 1) * (1.0 - age);
    case 1: return vec4(0.2, 0.4, 1, exp(-age));
    case 2:
        if (age > 0.5) return vec4(0.3);
        return vec4(age, age * age, 0, 1);
    default: return vec4(1, 0, 1, 1);
    }
}
void main() {
    vec3 a = gl_in[0].gl_Position.xyz, b = gl_in[1].gl_Position.xyz;
    vec3 width = normalize(cross(b - a, scene.eye.xyz - a)) * 0.1;
    for (int i = 0; i < 8; ++i) {
        float t = float(i) / 7.0;
        vec3 at = mix(a, b, t) - particle[0].velocity * t * t * scene.time;
        float age = mix(particle[0].age, particle[1].age, t);
        if (age >= 1.0) break;
        colour = paint(particle[0].kind, age);
        gl_Position = scene.view_projection * vec4(at - width * (1.0 - t), 1); EmitVertex();
        gl_Position = scene.view_projection * vec4(at + width * (1.0 - t), 1); EmitVertex();
    }
    EndPrimitive();
}
