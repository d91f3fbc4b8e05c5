// index.mjs - verify, repair, read and export robot logs; see index.d.ts.

const inNode = typeof process === "object" && process.versions?.node !== undefined;
const PHASES = ["read", "search", "seal", "prove", "write", "compare"];
const BATCH = 1 << 20;  // bytes of records that are fetched at once

export class SalvorError extends Error {
  constructor({ code, message, report }) {
    super(message);
    this.name = "SalvorError";
    this.code = code;
    this.report = report;
  }
}

function require(there, what) {
  if (!there)
    throw new SalvorError({ code: "unsupported",
      message: `this browser has no ${what}; salvor needs it` });
}

let compiled;  // the promise of a WebAssembly.Module

async function compile() {
  require(typeof WebAssembly === "object", "WebAssembly");
  const url = new URL("salvor.wasm", import.meta.url);
  if (inNode) {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  return WebAssembly.compile(await (await fetch(url)).arrayBuffer());
}

async function newWorker() {
  const url = new URL("worker.mjs", import.meta.url);
  if (inNode) {
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker(url);
    return { worker, on: (name, heard) => worker.on(name, heard) };
  }
  require(typeof Worker === "function", "Worker");
  const worker = new Worker(url, { type: "module" });
  return { worker, on: (name, heard) => worker.addEventListener(name,
    (event) => heard(name === "message" ? event.data : event)) };
}

// A worker with the library, for one job.
class Thread {
  static async start({ signal, onProgress } = {}) {
    const thread = new Thread();
    signal?.throwIfAborted();
    const wasm = await (compiled ??= compile());
    const { worker, on } = await newWorker();
    Object.assign(thread, { worker, onProgress, waiting: new Map(), calls: 0 });
    on("message", (message) => thread.hear(message));
    on("error", (error) => thread.die(error));
    // Node's temporary files are removed by the job; a page has none, so its
    // worker can be ended.
    if (inNode) thread.stop = new SharedArrayBuffer(4);
    const abort = () => {
      if (thread.stop !== undefined) Atomics.store(new Int32Array(thread.stop), 0, 1);
      else thread.die(new SalvorError({ code: "cancelled", message: "cancelled" }));
    };
    signal?.addEventListener("abort", abort);
    thread.release = () => signal?.removeEventListener("abort", abort);
    await thread.call("start", { wasm });
    return thread;
  }

  call(call, rest = {}) {
    const id = ++this.calls;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, call, stop: this.stop, ...rest });
    });
  }

  hear({ id, progress, result, error }) {
    if (progress !== undefined) {
      this.onProgress?.({ ...progress, phase: PHASES[progress.phase] });
      return;
    }
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error !== undefined) reject(new SalvorError(error));
    else resolve(result);
  }

  die(error) {
    this.waiting.forEach(({ reject }) => reject(error));
    this.waiting.clear();
    this.end();
  }

  end() {
    this.release();
    this.worker.terminate();
  }
}

// The name of an input for the library: a path in Node, or where a Blob is put.
async function nameOf(thread, input) {
  if (typeof input === "string" && inNode) return input;
  if (typeof Blob === "undefined" || !(input instanceof Blob) || inNode)
    throw new TypeError(inNode ? "a log is named by its path" : "a log is a File or a Blob");
  const path = "/" + (input.name ?? "log").replaceAll("/", "_");
  await thread.call("add", { path, blob: input });
  return path;
}

// Do a job; without a file system the output is taken out as a Blob.
async function run(name, input, { signal, onProgress, ...options }, ending) {
  const thread = await Thread.start({ signal, onProgress });
  try {
    const file = await nameOf(thread, input);
    if (!inNode && ending !== undefined) options.output = file + ending;
    const done = await thread.call("run", { name, file, options });
    if (!inNode && done.report.output?.path)
      done.blob = await thread.call("take", { path: done.report.output.path });
    return done;
  } finally {
    thread.end();
  }
}

export const verify = (input, options = {}) => run("verify", input, options);
export const info = (input, options = {}) => run("info", input, options);
export const repair = (input, options = {}) => run("repair", input, options, ".repaired");
export const exportMcap = (input, options = {}) =>
  run("export", input, { ...options, to: "mcap" }, ".mcap");

export async function read(input, { signal, onProgress, ...options } = {}) {
  const thread = await Thread.start({ signal, onProgress });
  try {
    const file = await nameOf(thread, input);
    const { channels, report } = await thread.call("openLog", { file, options });
    return new Log(thread, channels, report);
  } catch (error) {
    thread.end();
    throw error;
  }
}

class Log {
  #thread;

  constructor(thread, channels, report) {
    this.#thread = thread;
    this.channels = channels;
    this.report = report;
  }

  async *[Symbol.asyncIterator]() {
    try {
      for (;;) {
        const records = await this.#thread.call("nextRecords", { bytes: BATCH });
        if (records.length === 0) return;
        for (const record of records)
          yield { ...record, channel: this.channels[record.channel] };
      }
    } finally {
      await this.close();
    }
  }

  async close() {
    if (this.#thread === undefined) return;
    const thread = this.#thread;
    this.#thread = undefined;
    try {
      await thread.call("closeLog");
    } finally {
      thread.end();
    }
  }
}
