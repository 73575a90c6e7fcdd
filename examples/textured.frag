#version 450
// One texture and its sampler, at set 0, binding 1: what `statetracker lower` rewrites.
layout(set = 0, binding = 1) uniform sampler2D image;
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main() {
    color = texture(image, place);
}
