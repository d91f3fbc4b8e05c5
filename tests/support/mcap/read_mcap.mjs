// read_mcap.mjs - what @mcap/core reads of MCAP files.
//
//   node read_mcap.mjs <PATHS >LINES
//
// PATHS are lines.  Each answer is a line of JSON: {path, how, error, messages},
// once with `how` stream and once indexed; a message is [topic, schema, sequence,
// log time, publish time, bytes, CRC-32 of them].  Both readers check every
// checksum.  Of a file that is not indexed `indexed` has neither error nor messages.

import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { crc32 } from "@foxglove/crc";
import lz4 from "@foxglove/wasm-lz4";
import zstd from "@foxglove/wasm-zstd";
import fs from "node:fs";

await lz4.isLoaded;
await zstd.isLoaded;
const decompressHandlers = {
  lz4: (data, size) => new Uint8Array(lz4(data, Number(size))),
  zstd: (data, size) => new Uint8Array(zstd.decompress(data, Number(size))),
};

function describe(message, channel, schema) {
  return [
    channel.topic,
    schema?.name ?? null,
    message.sequence,
    String(message.logTime),
    String(message.publishTime),
    message.data.length,
    crc32(message.data),
  ];
}

function stream(raw) {
  const reader = new McapStreamReader({ decompressHandlers, validateCrcs: true });
  const channels = new Map();
  const schemas = new Map();
  const out = [];
  reader.append(raw);
  for (let record; (record = reader.nextRecord()); ) {
    if (record.type === "Schema") {
      schemas.set(record.id, record);
    } else if (record.type === "Channel") {
      channels.set(record.id, record);
    } else if (record.type === "Message") {
      const channel = channels.get(record.channelId);
      out.push(describe(record, channel, schemas.get(channel.schemaId)));
    }
  }
  if (!reader.done()) {
    throw new Error("the file is not complete");
  }
  return out;
}

async function indexed(raw) {
  const readable = {
    size: async () => BigInt(raw.length),
    read: async (offset, size) =>
      new Uint8Array(raw.subarray(Number(offset), Number(offset + size))),
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  if (reader.chunkIndexes.length === 0) {
    return null;
  }
  const out = [];
  for await (const message of reader.readMessages()) {
    const channel = reader.channelsById.get(message.channelId);
    out.push(describe(message, channel, reader.schemasById.get(channel.schemaId)));
  }
  for await (const attachment of reader.readAttachments()) {
    void attachment;
  }
  for await (const metadata of reader.readMetadata()) {
    void metadata;
  }
  return out;
}

for (const path of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const raw = fs.readFileSync(path);
  for (const [how, reader] of [["stream", stream], ["indexed", indexed]]) {
    let error = null;
    let messages = null;
    try {
      messages = await reader(raw);
    } catch (fault) {
      error = String(fault.message ?? fault);
      if (error.startsWith("File is not indexed")) {
        error = null;
      }
    }
    process.stdout.write(JSON.stringify({ path, how, error, messages }) + "\n");
  }
}
