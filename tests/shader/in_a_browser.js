// Draws jobs in a page: SPIR-V by naga-wasm as WGSL, WebGPU's own calls, and the target's texels back.
import { init, translate } from "/naga/index.js";

const bytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
const coded = (buffer) => new Promise((done) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result.split(",")[1]);
  reader.readAsDataURL(new Blob([buffer]));
});

function filled(device, texture, content, count, [width, height], fill) {
  const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST;
  const source = device.createTexture({ size: [width, height, count], format: "rgba8unorm", usage });
  device.queue.writeTexture({ texture: source }, content, { bytesPerRow: width * 4, rowsPerImage: height }, [width, height, count]);
  const module = device.createShaderModule({ code: fill });
  for (let sample = 0; sample < count; sample++) {
    const pipeline = device.createRenderPipeline({
      layout: "auto", vertex: { module }, fragment: { module, targets: [{ format: "rgba8unorm" }] },
      multisample: { count, mask: 1 << sample },
    });
    const entries = [{ binding: 0, resource: source.createView({ dimension: "2d-array" }) }];
    const encoder = device.createCommandEncoder();
    const loadOp = sample ? "load" : "clear";
    const run = encoder.beginRenderPass({ colorAttachments: [{ view: texture.createView(), loadOp, storeOp: "store" }] });
    run.setPipeline(pipeline);
    run.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    run.draw(3, 1, 0, sample);
    run.end();
    device.queue.submit([encoder.finish()]);
  }
}

function bound(device, resource, buffers, entry, fill) {
  if (resource.sampler) return device.createSampler(resource.sampler);
  if (resource.content) {
    const content = bytes(resource.content);
    const kind = entry.buffer.type === "uniform" ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    const buffer = device.createBuffer({ size: content.length, usage: kind | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(buffer, 0, content);
    buffers[entry.binding] = buffer;
    return { buffer };
  }
  const many = resource.texture.sampleCount > 1;
  const usage = GPUTextureUsage.TEXTURE_BINDING | (many ? GPUTextureUsage.RENDER_ATTACHMENT : GPUTextureUsage.COPY_DST);
  const texture = device.createTexture({ ...resource.texture, usage });
  resource.levels.forEach(([content, [depth, height, width], row], mipLevel) => {
    if (many) filled(device, texture, bytes(content), depth, [width, height], fill);
    else device.queue.writeTexture({ texture, mipLevel }, bytes(content), { bytesPerRow: row, rowsPerImage: height }, [width, height, depth]);
  });
  return texture.createView({ dimension: resource.view });
}

async function picture(device, job, { side, vertex, passed, fill, groups }) {
  const text = job.module.includes("@fragment") ? job.module : translate({ from: "spirv", to: "wgsl", source: bytes(job.module) });
  const code = "diagnostic(off, derivative_uniformity);\n" + text;
  device.pushErrorScope("validation");
  const buffers = {};
  const kinds = job.entries.map(({ resource, visibility, ...kind }) => ({ ...kind, visibility: GPUShaderStage[visibility] }));
  const layout = device.createBindGroupLayout({ entries: kinds });
  const entries = job.entries.map((entry) => ({ binding: entry.binding, resource: bound(device, entry.resource, buffers, entry, fill) }));
  const group = device.createBindGroup({ layout, entries });
  const whole = device.createPipelineLayout({ bindGroupLayouts: [layout] });
  const own = { module: device.createShaderModule({ code }), entryPoint: "main" };
  const encoder = device.createCommandEncoder();
  const read = device.createBuffer({ size: side * side * 16, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  if (job.stage === "compute") {
    const run = encoder.beginComputePass();
    run.setPipeline(device.createComputePipeline({ layout: whole, compute: own }));
    run.setBindGroup(0, group);
    run.dispatchWorkgroups(...groups);
    run.end();
    encoder.copyBufferToBuffer(buffers[3], 0, read, 0, side * side * 16);
  } else {
    const other = { module: device.createShaderModule({ code: job.stage === "vertex" ? passed : vertex }), entryPoint: "main" };
    const stages = job.stage === "vertex" ? [own, other] : [other, own];
    const attributes = ["float32x4", "sint32x4", "float32x4"].map((format, n) => ({ format, offset: n * 16, shaderLocation: n }));
    const pipeline = device.createRenderPipeline({
      layout: whole, vertex: { ...stages[0], buffers: [{ arrayStride: 48, attributes }] },
      fragment: { ...stages[1], targets: [{ format: "rgba32float" }] },
    });
    const content = bytes(job.vertices);
    const vertices = device.createBuffer({ size: content.length, usage: GPUBufferUsage.VERTEX | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(vertices, 0, content);
    const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
    const target = device.createTexture({ size: [side, side], format: "rgba32float", usage });
    const run = encoder.beginRenderPass({ colorAttachments: [{ view: target.createView(), loadOp: "clear", storeOp: "store" }] });
    run.setPipeline(pipeline);
    run.setBindGroup(0, group);
    run.setVertexBuffer(0, vertices);
    run.draw(content.length / 48);
    run.end();
    encoder.copyTextureToBuffer({ texture: target }, { buffer: read, bytesPerRow: side * 16 }, [side, side]);
  }
  device.queue.submit([encoder.finish()]);
  const error = await device.popErrorScope();
  if (error) throw error;
  await read.mapAsync(GPUMapMode.READ);
  return coded(read.getMappedRange().slice(0));
}

const answer = { pictures: {}, errors: {} };
try {
  await init();
  const given = await (await fetch("/jobs")).json();
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice({ requiredFeatures: given.features });
  answer.adapter = adapter.info.architecture;
  for (const [name, job] of Object.entries(given.jobs)) {
    try {
      answer.pictures[name] = await picture(device, job, given);
    } catch (error) {
      answer.errors[name] = String(error.formatted ?? error.message ?? error);
    }
  }
} catch (error) {
  answer.errors[""] = String(error);
}
await fetch("/answer", { method: "POST", body: JSON.stringify(answer) });
