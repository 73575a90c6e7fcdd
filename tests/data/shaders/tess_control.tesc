#version 450
layout(vertices = 3) out;
layout(set = 0, binding = 1) uniform sampler2D image;
layout(location = 0) in vec2 place[];
layout(location = 0) out vec4 colour[];
void main() {
    colour[gl_InvocationID] = textureLod(image, place[gl_InvocationID], 0.0);
    gl_TessLevelOuter[0] = 1.0;
    gl_TessLevelInner[0] = 1.0;
}
