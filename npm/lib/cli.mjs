#!/usr/bin/env node
// cli.mjs - the command line: the same program as elsewhere, on Node's files.

import { readFileSync } from "node:fs";
import { load } from "./load.mjs";
import { nodeHost } from "./node_host.mjs";

const wasm = await WebAssembly.compile(
  readFileSync(new URL("salvor.wasm", import.meta.url)));
const module = await load({ wasm, host: nodeHost, env: process.env });

process.exitCode = module.callMain(process.argv.slice(2));
