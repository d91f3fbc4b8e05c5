/** Repair damaged robot logs, and read what is left of them.
 *
 * A log is a path in Node, and a File or Blob in a browser, of which only the ranges that
 * are needed are read.  Each call has a worker of its own. */

export type Input = string | Blob;

/** What the command line calls --output-dir is outputDir here; see salvor(1). */
export interface Options {
  /** Stops the job; no file of it is left. */
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  [option: string]: unknown;
}

export interface Progress {
  phase: "read" | "search" | "seal" | "prove" | "write" | "compare";
  /** Bytes. */
  done: number;
  total: number;
}

export type State = "intact" | "indexed" | "repaired" | "lossy" | "damaged"
  | "unrecoverable" | "unrecognised" | "unsupported" | "active" | "cancelled" | "failed";

/** An object of docs/json.md. */
export interface Report {
  file: string;
  format: string | null;
  state: State;
  [key: string]: unknown;
}

export interface Done {
  report: Report;
  /** The report as one line of JSON. */
  json: string;
  /** What the command line prints. */
  text: string;
  /** The output; only in a browser, and only if there is one. */
  blob?: Blob;
  /** What a repair that lost records leaves beside its output; only in a browser. */
  lossReport?: Blob;
}

export interface Channel {
  name: string;
  type: string;
  encoding: string;
  schemaEncoding: string;
  schema: Uint8Array;
  metadata: Record<string, string>;
  /** How many records can be read. */
  records: number;
}

export interface LogRecord {
  channel: Channel;
  /** Nanoseconds since 1970; null: the log does not state it. */
  logTime: bigint | null;
  publishTime: bigint | null;
  sequence: bigint;
  data: Uint8Array;
  /** Where it begins in the file; in a compressed chunk, where the chunk does ... */
  offset: number;
  /** ... and where in its content; null: it is not in a chunk. */
  inner: number | null;
  /** What confirms it. */
  sureness: "suspect" | "structure" | "checksum" | "digest";
  /** Records of its channel may be lost before it. */
  afterGap: boolean;
  /** It was decoded from a damaged chunk. */
  made: boolean;
}

/** A log that is open: iterate over it once, or close it. */
export interface Log extends AsyncIterable<LogRecord> {
  readonly channels: Channel[];
  /** What a repair would report. */
  readonly report: Report;
  close(): Promise<void>;
}

/** A job failed, which says nothing about the log.  Damage is no failure. */
export class SalvorError extends Error {
  /** As in docs/json.md ("io", "exists" ...); "unsupported": the browser lacks something. */
  code: string;
  report?: Report;
}

/** Audit a log. */
export function verify(log: Input, options?: Options): Promise<Done>;
/** Describe a log. */
export function info(log: Input, options?: Options): Promise<Done>;
/** Repair a log.  Node: into options.output, or beside the log. */
export function repair(log: Input, options?: Options): Promise<Done>;
/** Write the records of a log, damaged or not, as MCAP.  Node: options.output. */
export function exportMcap(log: Input, options?: Options): Promise<Done>;
/** Read the records that a repair would keep; options choose: include, start, end ... */
export function read(log: Input, options?: Options): Promise<Log>;
/** Write reports as one page of HTML, as --html does.  Node: into output. */
export function reportPage(reports: (Done | SalvorError | Report)[],
  options?: Options & { output?: string }): Promise<{ blob?: Blob }>;
/** For those who bundle the package: where its parts are, if not beside index.mjs. */
export function configure(parts: {
  /** The bytes of salvor.wasm. */
  wasm?: BufferSource | Promise<BufferSource>;
  /** Starts a worker that runs worker.mjs. */
  worker?: () => Worker;
  /** A folder of the browser (navigator.storage) for outputs that are too long for memory.
   * The file of an output that a job returns is the caller's to remove. */
  scratch?: FileSystemDirectoryHandle | Promise<FileSystemDirectoryHandle | undefined>;
}): void;
