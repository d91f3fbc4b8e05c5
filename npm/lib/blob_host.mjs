// blob_host.mjs - the files of a page: inputs are a File or Blob, of which only the
// ranges that are needed are read; outputs become a Blob.  In a worker, as reading there
// does not have to wait.  It has the functions of Node's fs that src/system.js calls.

const PIECE = 4 << 20;  // bytes of an output that are kept in memory before they become a Blob
const BLOCK = 1 << 20;  // bytes of an input that are read at once ...
const BLOCKS = 8;       // ... and how many such are kept
const MOST = 4;         // pieces of an output that are Blobs, if there is a file for more
const REGULAR = 0o100644, FOLDER = 0o40755;
const NOW = BigInt(Date.now()) * 1000000n;

function fail(code) {
  throw Object.assign(new Error(code), { code });
}

// A browser says no more of a file that it cannot read.  That is no verdict on its bytes,
// so that the job ends.
function bytesOf(blob) {
  try {
    return new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob));
  } catch (error) {
    throw Object.assign(error, { failure: { code: "io", message: "the browser cannot read the "
      + "file: it was changed, moved or removed since it was chosen, or its disk fails" } });
  }
}

// Bytes that do not change, read in blocks, of which the latest are kept: a job reads at
// several places by turns.
class Input {
  constructor(blob) {
    this.blob = blob;
    this.size = blob.size;
    this.blocks = new Map();  // number: bytes; the one that was used last is the last one
  }

  block(k) {
    let bytes = this.blocks.get(k);
    if (bytes === undefined) bytes = bytesOf(this.blob.slice(k * BLOCK, (k + 1) * BLOCK));
    else this.blocks.delete(k);
    this.blocks.set(k, bytes);
    if (this.blocks.size > BLOCKS) this.blocks.delete(this.blocks.keys().next().value);
    return bytes;
  }

  read(to, at, n, pos) {
    n = Math.max(0, Math.min(n, this.size - pos));
    for (let done = 0; done < n;) {
      const from = (pos + done) % BLOCK, take = Math.min(n - done, BLOCK - from);
      to.set(this.block(Math.floor((pos + done) / BLOCK)).subarray(from, from + take), at + done);
      done += take;
    }
    return n;
  }

  write() {
    fail("EROFS");
  }
}

// Bytes that are written: whole pieces as Blobs, and the last one in memory.  Chromium
// puts Blobs on a disk only when the job has ended, so that a long output goes to a file.
class Output {
  constructor() {
    this.pieces = [];
    this.last = new Uint8Array(PIECE);
    this.size = 0;
  }

  get whole() {
    return this.pieces.length * PIECE;
  }

  read(to, at, n, pos) {
    n = Math.max(0, Math.min(n, this.size - pos));
    for (let done = 0; done < n;) {
      const k = Math.floor((pos + done) / PIECE), from = (pos + done) % PIECE;
      const take = Math.min(n - done, PIECE - from);
      to.set(this.piece(k).subarray(from, from + take), at + done);
      done += take;
    }
    return n;
  }

  piece(k) {
    if (k >= this.pieces.length) return this.last;
    if (this.seen?.k !== k)
      this.seen = { k, bytes: bytesOf(this.pieces[k]) };
    return this.seen.bytes;
  }

  write(from, at, n, pos) {
    for (let done = 0; done < n;) {
      const into = (pos + done) % PIECE, k = Math.floor((pos + done) / PIECE);
      const take = Math.min(n - done, PIECE - into);
      const bytes = from.subarray(at + done, at + done + take);
      if (k > this.pieces.length) fail("EFBIG");  // outputs have no holes
      if (k < this.pieces.length) {
        const changed = this.piece(k).slice();
        changed.set(bytes, into);
        this.pieces[k] = new Blob([changed]);
        this.seen = undefined;
      } else {
        this.last.set(bytes, into);
        if (into + take === PIECE) {
          this.pieces.push(new Blob([this.last]));
          this.last = new Uint8Array(PIECE);
        }
      }
      done += take;
      this.size = Math.max(this.size, pos + done);
    }
    return n;
  }

  truncate(size) {
    if (size < this.whole) {
      this.last = this.piece(Math.floor(size / PIECE)).slice();
      this.pieces.length = Math.floor(size / PIECE);
      this.seen = undefined;
    }
    this.last.fill(0, size - this.whole);
    this.size = size;
  }

  blob() {
    return new Blob([...this.pieces, this.last.subarray(0, this.size - this.whole)]);
  }
}

// The same in a file of the browser, for one output of a job.
class OnDisk {
  constructor(handle, access) {
    this.handle = handle;
    this.access = access;
  }

  get size() {
    return this.access.getSize();
  }

  read(to, at, n, pos) {
    return this.access.read(to.subarray(at, at + n), { at: pos });
  }

  write(from, at, n, pos) {
    let done = 0;
    try {
      done = this.access.write(from.subarray(at, at + n), { at: pos });
    } catch (error) {
      fail(error.name === "QuotaExceededError" ? "ENOSPC" : "EIO");
    }
    if (done < n) fail("ENOSPC");
  }

  truncate(size) {
    this.access.truncate(size);
  }

  blob() {
    this.access.flush();
    this.access.close();
    return this.handle.getFile();
  }
}

// A file in a folder of the browser; undefined: there can be none.
export async function scratchFile({ folder, name }) {
  try {
    const handle = await folder.getFileHandle(name, { create: true });
    return new OnDisk(handle, await handle.createSyncAccessHandle());
  } catch {
    return undefined;
  }
}

// A host with one folder, "/".
//
//   disk  what one long output goes to; undefined: nothing
export function blobHost(disk) {
  const files = new Map();  // path: { bytes: Input or Output, ino }
  const open = new Map();   // descriptor: the same
  let numbers = 2;

  // "./x", "/./x" and "x" are "/x".
  const whole = (path) => "/" + path.split("/").filter((part) => part !== "" && part !== ".").join("/");
  const at = (path) => files.get(whole(path)) ?? fail("ENOENT");
  const isFolder = (path) => whole(path) === "/";
  function stat(file, how) {
    const size = file === undefined ? 0 : file.bytes.size;
    const number = how?.bigint ? BigInt : Number;
    return {
      dev: number(1), ino: number(file?.ino ?? 1), nlink: number(1), uid: number(0), gid: number(0),
      mode: number(file === undefined ? FOLDER : REGULAR), rdev: number(0), blksize: number(4096),
      blocks: number(Math.ceil(size / 512)), size: number(size),
      atimeNs: NOW, mtimeNs: NOW, ctimeNs: NOW,
      isFile: () => file !== undefined, isDirectory: () => file === undefined,
    };
  }
  function write(file, bytes, from, n, pos) {
    if (disk !== undefined && file.bytes !== disk && pos + n > MOST * PIECE) toDisk(file);
    file.bytes.write(bytes, from, n, pos);
  }
  function toDisk(file) {
    for (let k = 0; k < file.bytes.pieces.length; k++)
      disk.write(file.bytes.piece(k), 0, PIECE, k * PIECE);
    disk.write(file.bytes.last, 0, file.bytes.size - file.bytes.whole, file.bytes.whole);
    file.bytes = disk;
    disk = undefined;
  }
  const statSync = (path, how) => stat(isFolder(path) ? undefined : at(path), how);

  return {
    constants: { O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024 },
    cwd: () => "/",
    isTerminal: () => false,
    windowSize: () => undefined,
    hostName: () => "",
    owner: () => 0,
    syncFolder: () => {},
    random: (bytes) => bytes.set(crypto.getRandomValues(new Uint8Array(bytes.length))),

    add: (path, blob) => void files.set(whole(path), { bytes: new Input(blob), ino: ++numbers }),
    take(path) {
      const { bytes } = at(path);
      files.delete(whole(path));
      return bytes.blob();
    },

    statSync, lstatSync: statSync,
    fstatSync: (fd, how) => stat(open.get(fd), how),
    statfsSync: () => ({ bsize: 4096n, blocks: 1n << 32n, bfree: 1n << 32n, bavail: 1n << 32n }),
    accessSync: (path) => void statSync(path),
    readlinkSync: (path) => fail(files.has(whole(path)) ? "EINVAL" : "ENOENT"),
    readdirSync: () => [...files.keys()].map((path) => path.slice(1)),
    openSync(path, flags) {
      let file = files.get(whole(path));
      if (file === undefined && (flags & 64) === 0) fail("ENOENT");
      if (file !== undefined && (flags & 128) !== 0) fail("EEXIST");
      if (file === undefined) files.set(whole(path), file = { bytes: new Output(), ino: ++numbers });
      if (flags & 512) file.bytes.truncate(0);
      open.set(++numbers, file);
      return numbers;
    },
    closeSync: (fd) => void open.delete(fd),
    readSync: (fd, to, from, n, pos) => open.get(fd).bytes.read(to, from, n, pos),
    writeSync(fd, bytes, from, n, pos) {
      // 1 and 2, for messages of the C library.
      if (fd <= 2) console.error(new TextDecoder().decode(bytes.slice(from, from + n)));
      else write(open.get(fd), bytes, from, n, pos);
      return n;
    },
    ftruncateSync: (fd, size) => open.get(fd).bytes.truncate(size),
    fsyncSync: () => {}, fchmodSync: () => {}, fchownSync: () => {}, futimesSync: () => {},
    renameSync(from, to) {
      files.set(whole(to), at(from));
      if (whole(from) !== whole(to)) files.delete(whole(from));
    },
    linkSync: () => fail("EPERM"),
    unlinkSync: (path) => void (files.delete(whole(path)) || fail("ENOENT")),
    symlinkSync: () => fail("EPERM"),
    mkdirSync: () => fail("EPERM"),
    rmdirSync: () => fail("EPERM"),
  };
}
