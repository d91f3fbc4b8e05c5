// read_ulog.mjs - what @foxglove/ulog reads of flight logs.
//
//   node read_ulog.mjs <PATHS >LINES
//
// PATHS are lines.  Each answer is a line of JSON: {path, error, counts}; counts are
// the messages of each number, as [number, count].

import { ULog } from "@foxglove/ulog";
import fs from "node:fs";

const DATA = 68;

class Bytes {
  constructor(raw) {
    this.raw = raw;
    this.at = 0;
  }
  async open() {
    return this.raw.length;
  }
  async read(offset, length) {
    const from = Number(offset);
    return new Uint8Array(this.raw.subarray(from, from + Number(length)));
  }
  size() {
    return this.raw.length;
  }
}

async function counts(raw) {
  const log = new ULog(new Bytes(raw));
  await log.open();
  const seen = new Map();
  for await (const message of log.readMessages()) {
    if (message.type === DATA) {
      seen.set(message.msgId, (seen.get(message.msgId) ?? 0) + 1);
    }
  }
  return [...seen].sort((a, b) => a[0] - b[0]);
}

for (const path of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const answer = { path, error: null, counts: null };
  try {
    answer.counts = await counts(fs.readFileSync(path));
  } catch (fault) {
    answer.error = String(fault.message ?? fault);
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
