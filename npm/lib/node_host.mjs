// node_host.mjs - the files of this computer, by Node's fs (see src/system.js).

import fs from "node:fs";
import { randomFillSync } from "node:crypto";
import os from "node:os";
import tty from "node:tty";

const streams = { 1: process.stdout, 2: process.stderr };

export const nodeHost = {
  ...fs,
  constants: fs.constants,
  cwd: () => process.cwd(),
  isTerminal: (fd) => tty.isatty(fd),
  windowSize: (fd) => streams[fd]?.getWindowSize?.(),
  hostName: () => os.hostname(),
  owner: () => process.geteuid?.() ?? 0,
  random: (bytes) => randomFillSync(bytes),

  // Where a folder cannot be opened, its names need no sync.
  syncFolder(path) {
    if (process.platform === "win32") return;
    const fd = fs.openSync(path, "r");
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  },
};
