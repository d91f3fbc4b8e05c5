// check_npm.mjs PACKAGE PROGRAM LOG... - does the package for npm do what the program does?
//
// PACKAGE is the folder of the package, PROGRAM the native one.  Of each LOG the reports of
// verify, info and repair, the repaired log and the MCAP export are compared, and the records
// that are read with those of an NDJSON export.  The last line has the totals.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, program, ...logs] = process.argv.slice(2).map((name) => path.resolve(name));
const salvor = await import(pathToFileURL(path.join(folder, "index.mjs")));
const dir = fs.mkdtempSync(path.join(os.tmpdir(), "salvor-npm-"));
let passed = 0, failed = 0;

async function test(name, run) {
  try {
    await run();
    passed++;
  } catch (error) {
    failed++;
    console.log(`no: ${name}: ${String(error.message).slice(0, 600)}`);
  }
  for (const file of fs.readdirSync(dir)) fs.rmSync(path.join(dir, file), { recursive: true });
}

// What depends on the run, on the system or on the name of the output.
function steady(report) {
  const { made_by, ...rest } = report;
  const text = JSON.stringify(rest, (key, value) => (key === "errno" ? null : value));
  return text.replaceAll("/native", "/npm");
}

function native(...words) {
  const done = spawnSync(program, words, { maxBuffer: 1 << 30 });
  return { code: done.status, out: done.stdout.toString(), err: done.stderr.toString() };
}

const inDir = (name) => path.join(dir, name);
const bytesOf = (file) => (fs.existsSync(file) ? fs.readFileSync(file) : Buffer.from("no file"));

// The report of a job, also of one that failed.
async function reportOf(job) {
  try {
    return (await job).report;
  } catch (error) {
    if (!(error instanceof salvor.SalvorError)) throw error;
    assert.ok(error.report, error.message);
    return error.report;
  }
}

async function sameJob(command, call, log, output) {
  const words = [command, "--json"];
  const options = {};
  if (output) {
    words.push("-o", inDir(`native.${output}`));
    options.output = inDir(`npm.${output}`);
  }
  const theirs = native(...words, log).out.trim();
  const ours = await reportOf(call(log, options));
  assert.equal(steady(ours), steady(JSON.parse(theirs)), command);
  if (output)
    assert.ok(bytesOf(inDir(`native.${output}`)).equals(bytesOf(inDir(`npm.${output}`))),
      `${command}: the outputs differ`);
}

// Numbers in NDJSON may be larger than JavaScript's.
function value(line, key) {
  const found = new RegExp(`"${key}":(-?\\d+|"[^"]*")`).exec(line);
  return found === null ? "null" : found[1].replaceAll('"', "");
}

const KEYS = ["log_time", "sequence", "sure", "offset"];

async function sameRecords(log) {
  const theirs = native("export", "--to", "ndjson", "-o", "-", log).out.split("\n")
    .filter((line) => line.startsWith('{"topic"'));
  let n = 0;
  try {
    for await (const record of await salvor.read(log)) {
      const line = theirs[n++];
      assert.equal(record.channel.name, JSON.parse(line).topic);
      assert.deepEqual([record.logTime, record.sequence, record.sureness, record.offset].map(String),
        KEYS.map((key) => value(line, key)));
      if (line.includes('"data_base64"'))
        assert.equal(Buffer.from(record.data).toString("base64"), value(line, "data_base64"));
    }
  } catch (error) {
    assert.equal(error.code, "refused", error.message);
  }
  assert.equal(n, theirs.length, "records");
}

// The program: the same words on the same streams, and the same exit code.
function sameProgram(...words) {
  const done = spawnSync(process.execPath, [path.join(folder, "cli.mjs"), ...words], { cwd: dir });
  const other = spawnSync(program, words, { cwd: dir });
  assert.equal(done.stdout.toString(), other.stdout.toString());
  assert.equal(done.stderr.toString(), other.stderr.toString());
  assert.equal(done.status, other.status);
}

// It takes a while to see that nothing follows the log.  A job is stopped before it is
// started, while its worker starts, and while it runs.
async function cancelled(log) {
  const long = inDir("long");
  fs.copyFileSync(log, long);
  fs.truncateSync(long, 1 << 29);
  for (const when of ["before", "at once", "soon"]) {
    const stop = new AbortController();
    if (when === "before") stop.abort();
    const job = salvor.repair(long, {
      output: inDir("never"), signal: stop.signal, onProgress: () => stop.abort(),
    });
    if (when === "at once") stop.abort();
    await assert.rejects(job, { name: "SalvorError", code: "cancelled" }, when);
    assert.deepEqual(fs.readdirSync(dir), ["long"], when);
  }
}

// A page of reports has the bytes that the program gives it.
async function samePage(some) {
  const done = [];
  for (const log of some) done.push(await salvor.verify(log, { timeline: true }));
  fs.writeFileSync(inDir("reports"), done.map(({ json }) => `${json}\n`).join(""));
  native("report", "-o", inDir("native.html"), inDir("reports"));
  await salvor.reportPage(done, { output: inDir("npm.html") });
  assert.ok(bytesOf(inDir("native.html")).equals(bytesOf(inDir("npm.html"))));
}

// The examples of a page, one after another, print what the page says.
async function examples(page, log) {
  const blocks = [...page.matchAll(/```(\w*)\n([^]*?)```/g)].map(([, kind, text]) => ({ kind, text }));
  const codes = blocks.filter(({ kind }) => kind === "js").map(({ text }) => text);
  const script = codes.join("").replace('from "salvor"',
    `from ${JSON.stringify(pathToFileURL(path.join(folder, "index.mjs")).href)}`);
  fs.copyFileSync(log, inDir("patrol.bddf"));
  fs.writeFileSync(inDir("notes.txt"), "notes");
  fs.writeFileSync(inDir("page.mjs"), script);
  const done = spawnSync(process.execPath, ["page.mjs"], { cwd: dir });
  assert.equal(done.stdout.toString(),
    blocks.filter(({ kind }) => kind === "").map(({ text }) => text).join(""), done.stderr.toString());
}

// A log of MCAP with one channel that has these keys in its metadata.
function logWithKeys(keys) {
  const u32 = (n) => { const to = Buffer.alloc(4); to.writeUInt32LE(n); return to; };
  const string = (text) => Buffer.concat([u32(Buffer.byteLength(text)), Buffer.from(text)]);
  const record = (kind, ...parts) => {
    const body = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([kind]), u32(body.length), u32(0), body]);
  };
  const metadata = Buffer.concat(keys.flatMap((key) => [string(key), string("value")]));
  const magic = Buffer.from("\x89MCAP0\r\n", "latin1");
  return Buffer.concat([magic, record(1, string(""), string("")),
    record(4, Buffer.from([1, 0, 0, 0]), string("/topic"), string("json"),
      u32(metadata.length), metadata),
    record(5, Buffer.from([1, 0]), u32(0), Buffer.alloc(16), Buffer.from("{}")),
    record(15, u32(0)), record(2, Buffer.alloc(20)), magic]);
}

// No key of a log is one of JavaScript's own.
async function hostileKeys() {
  const keys = ["__proto__", "constructor", "toString"];
  fs.writeFileSync(inDir("keys.mcap"), logWithKeys(keys));
  const log = await salvor.read(inDir("keys.mcap"));
  const { metadata } = log.channels[0];
  await log.close();
  assert.deepEqual(Object.keys(metadata).sort(), [...keys].sort());
  assert.ok(keys.every((key) => Object.getOwnPropertyDescriptor(metadata, key).value === "value"));
}

for (const log of logs) {
  await test(log, () => sameJob("verify", salvor.verify, log));
  await test(log, () => sameJob("repair", salvor.repair, log, "log"));
}
for (const log of logs.filter((name, i) => i % 8 === 0)) {
  await test(log, () => sameJob("info", salvor.info, log));
  await test(log, () => sameJob("export", salvor.exportMcap, log, "mcap"));
  await test(log, () => sameRecords(log));
}
const some = logs.find((log) => log.includes("bad-cut"));
for (const words of [["--help"], ["nonsense"], [], [some], ["verify", some, "/nowhere"],
  ["repair", "-n", some], ["list", some], ["info", some], ["-r", path.dirname(some)], ["explain", "core.tail"],
  ["repair", "-o", path.join(dir, "missing", "out"), some]])
  await test(`salvor ${words.join(" ")}`, () => sameProgram(...words));
await test("a cancelled job leaves nothing", () => cancelled(some));
const top = path.dirname(path.dirname(new URL(import.meta.url).pathname));
await test("docs/javascript.md", () => examples(
  fs.readFileSync(path.join(top, "docs/javascript.md"), "utf8"),
  path.join(top, "testdata/bddf/bad-cut-patrol.bddf")));
await test("a page of reports", () => samePage(logs.slice(0, 3)));
await test("a page over another file", () => assert.rejects(
  salvor.reportPage([], { output: some }), { code: "exists" }));
await test("an option that does not exist", () =>
  assert.rejects(salvor.verify(some, { nonsense: true }), { code: "usage" }));
await test("keys that are JavaScript's own", hostileKeys);
await test("a log that does not exist", () =>
  assert.rejects(salvor.verify("/nowhere"), { code: "io" }));

fs.rmSync(dir, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
