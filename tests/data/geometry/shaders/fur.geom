#version 450
// Fur: shells around each triangle; how many is a uniform, so the loop cannot be unrolled.
layout(triangles) in;
layout(triangle_strip, max_vertices = 48) out;
layout(binding = 0) uniform Fur { mat4 mvp; vec4 gravity; int shells; float length_; } fur;
layout(binding = 1) uniform sampler2D noise;
layout(location = 0) in vec3 normal[];
layout(location = 1) in vec2 uv[];
layout(location = 0) out vec3 shade;
layout(location = 1) out vec3 uv_shell;
void main() {
    vec3 bend = vec3(0);
    for (int shell = 0; shell < fur.shells; ++shell) {
        float height = float(shell) / float(fur.shells);
        if (height > 0.9 && bend.y < -0.5) break;
        bend += fur.gravity.xyz * height * height;
        for (int i = 0; i < 3; ++i) {
            float jitter = textureLod(noise, uv[i], 0.0).r;
            vec3 at = gl_in[i].gl_Position.xyz + (normal[i] * height + bend) * fur.length_ * jitter;
            gl_Position = fur.mvp * vec4(at, 1);
            shade = mix(vec3(0.2), normal[i] * 0.5 + 0.5, height);
            uv_shell = vec3(uv[i], height);
            EmitVertex();
        }
        EndPrimitive();
    }
}
