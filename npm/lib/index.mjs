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

let given = {};  // by configure()
let compiled;    // the promise of a WebAssembly.Module

export function configure({ wasm, worker, scratch }) {
  given = { wasm, worker, scratch };
  compiled = undefined;
}

async function bytesOfModule() {
  if (given.wasm !== undefined) return given.wasm;
  const url = new URL("salvor.wasm", import.meta.url);
  if (inNode) {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.arrayBuffer();
}

// Once for all jobs; after a failure, again.
function compile() {
  require(typeof WebAssembly === "object", "WebAssembly");
  compiled ??= bytesOfModule().then((bytes) => WebAssembly.compile(bytes));
  compiled.catch(() => { compiled = undefined; });
  return compiled;
}

async function newWorker() {
  const url = new URL("worker.mjs", import.meta.url);
  if (inNode) {
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker(url);
    return { worker, on: (name, heard) => worker.on(name, heard) };
  }
  require(typeof Worker === "function", "Worker");
  const worker = given.worker?.() ?? new Worker(url, { type: "module" });
  return { worker, on: (name, heard) => worker.addEventListener(name,
    (event) => heard(name === "message" ? event.data : event)) };
}

function cancelled() {
  return new SalvorError({ code: "cancelled", message: "cancelled" });
}

// A worker with the library, for one job.
class Thread {
  static async start({ signal, onProgress, writes = false } = {}) {
    if (signal?.aborted) throw cancelled();
    const wasm = await compile();
    const folder = writes ? await given.scratch : undefined;
    const { worker, on } = await newWorker();
    const thread = new Thread();
    Object.assign(thread, { worker, onProgress, waiting: new Map(), calls: 0 });
    on("message", (message) => thread.hear(message));
    on("error", (error) => thread.die(new SalvorError({ code: "bug",
      message: `the worker failed: ${error.message ?? "it could not be started"}` })));
    // Node's temporary files are removed by the job; a page has none, so its
    // worker can be ended.
    if (inNode) thread.stop = new SharedArrayBuffer(4);
    const abort = () => {
      if (thread.stop !== undefined) Atomics.store(new Int32Array(thread.stop), 0, 1);
      else thread.die(cancelled());
    };
    signal?.addEventListener("abort", abort);
    thread.release = () => signal?.removeEventListener("abort", abort);
    if (folder) thread.scratch = { folder, name: crypto.randomUUID() };
    try {
      await thread.call("start", { wasm, scratch: thread.scratch });
      // It may have been in between.
      if (signal?.aborted) throw cancelled();
    } catch (error) {
      thread.end();
      throw error;
    }
    return thread;
  }

  call(call, rest = {}) {
    const id = ++this.calls;
    if (this.dead) return Promise.reject(this.dead);
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

  // What a job has written; it is no longer the worker's.
  async take(path) {
    const blob = await this.call("take", { path });
    if (blob.name !== undefined && blob.name === this.scratch?.name) this.scratch = undefined;
    return blob;
  }

  die(error) {
    this.dead = error;
    this.waiting.forEach(({ reject }) => reject(error));
    this.waiting.clear();
    this.end();
  }

  end() {
    this.release();
    this.worker.terminate();
    if (this.scratch) void remove(this.scratch);
    this.scratch = undefined;
  }
}

// Remove a file of a worker that was ended, which the browser may notice later.
async function remove({ folder, name }) {
  for (let i = 0; i < 100; i++) {
    try {
      await folder.removeEntry(name);
      return;
    } catch (error) {
      if (error.name === "NotFoundError" && i > 0) return;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

// The name of an input for the library: a path in Node, or that of a Blob, in the folder
// of the job.
async function nameOf(thread, input) {
  if (typeof input === "string" && inNode) return input;
  if (typeof Blob === "undefined" || !(input instanceof Blob) || inNode)
    throw new TypeError(inNode ? "a log is named by its path" : "a log is a File or a Blob");
  const name = (input.name || "log").replaceAll(/[/\0]/g, "_");
  await thread.call("add", { path: "/" + name, blob: input });
  return name === "-" ? "/-" : name;  // "-" alone is standard input
}

// Do a job; without a file system its outputs are taken out as Blobs.
async function run(name, input, { signal, onProgress, ...options }) {
  const writes = name === "repair" || name === "export";
  const thread = await Thread.start({ signal, onProgress, writes });
  try {
    const file = await nameOf(thread, input);
    if (!inNode && name === "export") options.output ??= `${file}.${options.to}`;
    const done = await thread.call("run", { name, file, options });
    if (inNode) return done;
    const { path, sidecar } = done.report.output ?? {};
    if (path) done.blob = await thread.take(path);
    if (sidecar) done.lossReport = await thread.take(sidecar);
    return done;
  } finally {
    thread.end();
  }
}

export const verify = (input, options = {}) => run("verify", input, options);
export const info = (input, options = {}) => run("info", input, options);
export const repair = (input, options = {}) => run("repair", input, options);
export const exportMcap = (input, options = {}) => run("export", input, { ...options, to: "mcap" });

export async function reportPage(reports, { output, signal, onProgress } = {}) {
  const thread = await Thread.start({ signal, onProgress });
  try {
    const path = inNode ? output : "/page.html";
    const json = reports.map((one) => one.json ?? JSON.stringify(one.report ?? one)).join("\n");
    await thread.call("page", { path, json });
    return inNode ? {} : { blob: await thread.take(path) };
  } finally {
    thread.end();
  }
}

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
