// worker.mjs - does one job after another, in a thread of its own.
//
// It gets { id, call, ... } and answers { id, result } or { id, error }; while a job runs,
// { id, progress }.  index.mjs is at the other end.

import { load } from "./load.mjs";
import { blobHost, scratchFile } from "./blob_host.mjs";

const inNode = typeof process === "object" && process.versions?.node !== undefined;
const port = inNode
  ? (await import("node:worker_threads")).parentPort
  : { postMessage: (...all) => self.postMessage(...all),
      on: (_, heard) => { self.onmessage = (event) => heard(event.data); } };

let module;  // of emscripten
let host;
let job;     // { id, stop: Int32Array or undefined } now
let log;     // { log, reader, name, options } that is open

function text(at) {
  const string = module.UTF8ToString(at);
  module._slv_free(at);
  return string;
}

// Call a function with strings, which live that long.
function withStrings(strings, call) {
  const all = strings.map((string) => {
    if (string === null) return 0;
    const n = module.lengthBytesUTF8(string) + 1;
    const at = module._malloc(n);
    module.stringToUTF8(string, at, n);
    return at;
  });
  try {
    return call(...all);
  } finally {
    all.forEach((at) => module._free(at));
  }
}

// A failure as salvor's JSON has it.
function failed(json, report) {
  const said = JSON.parse(json);
  const { code, text: message } = said.error ?? said;
  throw Object.assign(new Error(message), { failure: { code, message, report } });
}

function check(json) {
  if (json !== 0) failed(text(json));
}

// {"outputDir": "x", "include": ["a", "b"], "force": true} as options of the command line.
function optionsOf(chosen) {
  const options = module._salvor_options();
  try {
    for (const [name, value] of Object.entries(chosen)) {
      const words = name.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one === undefined) continue;
        const said = one === true ? "yes" : one === false ? "no" : String(one);
        check(withStrings([words, said],
          (a, b) => module._salvor_set(options, a, b)));
      }
    }
  } catch (error) {
    module._slv_options_free(options);
    throw error;
  }
  return options;
}

function progress(phase, done, total) {
  port.postMessage({ id: job.id, progress: { phase, done, total } });
  return job.stop !== undefined && Atomics.load(job.stop, 0) !== 0;
}

// A job about one file: { report, text }.
function run({ name, file, options }) {
  const chosen = optionsOf(options);
  const to = module._malloc(4);
  try {
    const json = withStrings([name, file],
      (a, b) => module._salvor_run(a, b, chosen, to));
    if (json === 0) throw new RangeError("out of memory");
    const said = text(json), report = JSON.parse(said);
    const words = text(module.HEAPU32[to >> 2]);
    if (report.error !== null) failed(said, report);
    return { report, json: said, text: words };
  } finally {
    module._free(to);
    module._slv_options_free(chosen);
  }
}

// What a log says of its channels (struct slv_channel_info).
function channelsOf(handle) {
  const channels = [];
  for (let i = 0; i < module._slv_log_channels(handle); i++) {
    const at = module._slv_log_channel(handle, i);
    const word = (k) => module.HEAPU32[(at + k) >> 2];
    const string = (k) => module.UTF8ToString(word(k));
    const metadata = Object.create(null);  // a key may be "__proto__"
    for (let k = 0; k < word(32); k++) {
      const pair = (word(28) >> 2) + 2 * k;
      metadata[module.UTF8ToString(module.HEAPU32[pair])] =
        module.UTF8ToString(module.HEAPU32[pair + 1]);
    }
    channels.push({
      name: string(4), type: string(8), encoding: string(12), schemaEncoding: string(16),
      schema: module.HEAPU8.slice(word(20), word(20) + word(24)), metadata,
      records: word(40) + word(44) * 4294967296,
    });
  }
  return channels;
}

function openLog({ file, options }) {
  const chosen = optionsOf(options);
  const to = module._malloc(8);
  withStrings([file], (at) => module._slv_log_open(at, chosen, to));
  log = { options: chosen, handle: module.HEAPU32[to >> 2], reader: 0, file };
  checkLog();
  module._slv_reader_open(log.handle, to + 4);
  log.reader = module.HEAPU32[(to + 4) >> 2];
  module._free(to);
  checkLog();
  return {
    channels: channelsOf(log.handle),
    report: JSON.parse(text(module._slv_report_json(module._slv_log_report(log.handle)))),
  };
}

function checkLog() {
  const error = withStrings([log.file], (at) => module._salvor_log_error(at, log.handle));
  if (error === 0) return;
  closeLog();
  check(error);
}

function closeLog() {
  if (log === undefined) return;
  module._slv_reader_close(log.reader);
  module._slv_log_close(log.handle);
  module._slv_options_free(log.options);
  log = undefined;
}

const sureness = ["suspect", "structure", "checksum", "digest"];

// Records up to so many bytes of payload; an empty list is the end.
function nextRecords({ bytes }) {
  const records = [];
  const none = -(1n << 63n), unpacked = (1n << 64n) - 1n;
  for (let sum = 0; sum < bytes;) {
    const at = module._slv_reader_next(log.reader);
    if (at === 0) break;
    const view = new DataView(module.HEAPU8.buffer, at, 72);
    const data = view.getUint32(40, true), n = view.getUint32(44, true);
    const time = (k) => (view.getBigInt64(k, true) === none ? null : view.getBigInt64(k, true));
    const flags = view.getUint32(8, true), inner = view.getBigUint64(56, true);
    records.push({
      channel: view.getUint32(4, true),
      logTime: time(16), publishTime: time(24), sequence: view.getBigUint64(32, true),
      data: module.HEAPU8.slice(data, data + n),
      offset: Number(view.getBigUint64(48, true)),
      inner: inner === unpacked ? null : Number(inner),
      sureness: sureness[view.getUint32(64, true)],
      afterGap: (flags & 1) !== 0, made: (flags & 2) !== 0,
    });
    sum += n + 100;
  }
  if (records.length === 0) checkLog();
  return records;
}

const calls = {
  async start({ wasm, scratch }) {
    host = inNode ? (await import("./node_host.mjs")).nodeHost
      : blobHost(scratch && await scratchFile(scratch));
    module = await load({ wasm, host, progress });
  },
  add: ({ path, blob }) => host.add(path, blob),
  take: ({ path }) => host.take(path),
  page({ path, json }) {
    check(withStrings([path, json], (a, b) => module._salvor_page(a, b)));
  },
  run, openLog, nextRecords, closeLog,
};

port.on("message", async ({ id, call, stop, ...rest }) => {
  job = { id, stop: stop === undefined ? undefined : new Int32Array(stop) };
  try {
    port.postMessage({ id, result: await calls[call](rest) });
  } catch (error) {
    const failure = error.failure ?? { code: "bug", message: String(error.stack ?? error) };
    port.postMessage({ id, error: failure });
  }
});
