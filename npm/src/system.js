/* system.js - the system calls of the program, on the files of a host.
 *
 * A library for emscripten's linker, in place of its own files, which end at 4 GB and
 * hold outputs in memory.  The host is Module.host: Node's fs (node_host.mjs), or the
 * files that a page was given (blob_host.mjs); both have the functions of Node's fs.
 *
 * A call returns a number of musl's: a result, or minus an error.
 */
mergeInto(LibraryManager.library, {
  $system__deps: ['$ERRNO_CODES'],
  $system: {
    /* Open files by descriptor.  Several descriptors may share one.
     *
     *   fd      the host's; -1: only the name is known (O_PATH)
     *   path    absolute
     *   follow  whether its name may be a link
     *   pos     the next byte to read or write; null: the host counts, as for pipes */
    files: [],

    /* Run a call; an exception of the host becomes its error. */
    run: function(call) {
      try {
        return call();
      } catch (e) {
        var code = ERRNO_CODES[e.code];
        if (code === undefined) throw e;
        return -code;
      }
    },

    fail: function(code) {
      throw { code: code };
    },

    file: function(fd) {
      return system.files[fd] || system.standard(fd) || system.fail('EBADF');
    },

    /* 0, 1 and 2 are open from the start. */
    standard: function(fd) {
      if (fd < 0 || fd > 2 || system.files[fd] === null) return undefined;
      var st = Module.host.fstatSync(fd);
      return system.files[fd] = {
        fd: fd, path: '/dev/fd/' + fd, follow: true, flags: fd ? 1 : 0, uses: 1,
        pos: fd === 0 && st.isFile() ? 0 : null,
      };
    },

    take: function(file) {
      var fd = 3;
      while (system.files[fd]) fd++;
      system.files[fd] = file;
      return fd;
    },

    /* The path of a name in an open folder. */
    path: function(dir, name) {
      name = UTF8ToString(name);
      if (name.startsWith('/')) return name;
      var at = dir === {{{ cDefine('AT_FDCWD') }}} ? Module.host.cwd() : system.file(dir).path;
      return name === '' ? at : at + (at.endsWith('/') ? '' : '/') + name;
    },

    is: function(flags, bits) {
      return (flags & bits) === bits;
    },

    open: function(path, flags, mode) {
      var host = Module.host, only = system.is(flags, 0o10000000);
      var follow = !(flags & 0o400000), folder = flags & 0o200000;
      if (system.is(flags, 0o20200000)) system.fail('EOPNOTSUPP');
      if (only || folder) {
        var st = follow ? host.statSync(path) : host.lstatSync(path);
        if (folder && !st.isDirectory()) system.fail('ENOTDIR');
        return system.take({ fd: -1, path: path, follow: follow, flags: flags, uses: 1, pos: null });
      }
      var fd = host.openSync(path, system.host_flags(flags), mode);
      var regular = host.fstatSync(fd).isFile();
      return system.take({ fd: fd, path: path, follow: true, flags: flags, uses: 1, pos: regular ? 0 : null });
    },

    /* The bits of open(2) as the host numbers them. */
    host_flags: function(flags) {
      var to = Module.host.constants, out = flags & 3;
      if (flags & 0o100) out |= to.O_CREAT;
      if (flags & 0o200) out |= to.O_EXCL;
      if (flags & 0o1000) out |= to.O_TRUNC;
      if (flags & 0o2000) out |= to.O_APPEND;
      if (flags & 0o4000) out |= to.O_NONBLOCK | 0;
      if (flags & 0o400) out |= to.O_NOCTTY | 0;
      if (flags & 0o400000) out |= to.O_NOFOLLOW | 0;
      return out;
    },

    put64: function(at, value) {
      HEAPU32[at >> 2] = Number(BigInt.asUintN(32, value));
      HEAPU32[(at >> 2) + 1] = Number(BigInt.asUintN(32, value >> BigInt(32)));
    },

    put_time: function(at, ns) {
      /* The linker's parser knows no literal of a BigInt. */
      var second = BigInt(1e9), nanos = Number(ns % second);
      var sec = Number(ns / second) - (nanos < 0 ? 1 : 0);
      HEAP32[at >> 2] = sec | 0;
      HEAP32[(at >> 2) + 1] = nanos < 0 ? nanos + 1e9 : nanos;
    },

    put_stat: function(at, st) {
      HEAPU8.fill(0, at, at + {{{ C_STRUCTS.stat.__size__ }}});
      HEAPU32[at + {{{ C_STRUCTS.stat.st_dev }}} >> 2] = Number(BigInt.asUintN(32, st.dev));
      HEAPU32[at + {{{ C_STRUCTS.stat.st_mode }}} >> 2] = Number(st.mode);
      HEAPU32[at + {{{ C_STRUCTS.stat.st_nlink }}} >> 2] = Number(st.nlink);
      HEAPU32[at + {{{ C_STRUCTS.stat.st_uid }}} >> 2] = Number(st.uid);
      HEAPU32[at + {{{ C_STRUCTS.stat.st_gid }}} >> 2] = Number(st.gid);
      HEAPU32[at + {{{ C_STRUCTS.stat.st_rdev }}} >> 2] = Number(BigInt.asUintN(32, st.rdev));
      HEAPU32[at + {{{ C_STRUCTS.stat.st_blksize }}} >> 2] = Number(st.blksize);
      HEAPU32[at + {{{ C_STRUCTS.stat.st_blocks }}} >> 2] = Number(BigInt.asUintN(32, st.blocks || BigInt(0)));
      system.put64(at + {{{ C_STRUCTS.stat.st_size }}}, st.size);
      system.put64(at + {{{ C_STRUCTS.stat.st_ino }}}, st.ino);
      system.put_time(at + {{{ C_STRUCTS.stat.st_atim.tv_sec }}}, st.atimeNs);
      system.put_time(at + {{{ C_STRUCTS.stat.st_mtim.tv_sec }}}, st.mtimeNs);
      system.put_time(at + {{{ C_STRUCTS.stat.st_ctim.tv_sec }}}, st.ctimeNs);
      return 0;
    },

    stat: function(path, follow, at) {
      var how = { bigint: true }, host = Module.host;
      return system.put_stat(at, follow ? host.statSync(path, how) : host.lstatSync(path, how));
    },

    fstat: function(file, at) {
      if (file.fd < 0) return system.stat(file.path, file.follow, at);
      return system.put_stat(at, Module.host.fstatSync(file.fd, { bigint: true }));
    },

    /* Wait: a pipe of this host has nothing yet, or no room. */
    pause: function() {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    },

    /* Move bytes until all pieces are done or the host does less.
     *
     *   pos  null: at the file's own position */
    move: function(fd, pieces, n, pos, call) {
      var file = system.file(fd), done = 0, own = pos === null;
      if (file.fd < 0) system.fail('EBADF');
      if (own) pos = file.pos;
      for (var i = 0; i < n; i++) {
        var at = HEAPU32[(pieces >> 2) + 2 * i], len = HEAPU32[(pieces >> 2) + 2 * i + 1];
        if (len === 0) continue;
        var got = call(file.fd, HEAPU8, at, len, pos);
        done += got;
        if (pos !== null) pos += got;
        if (got < len) break;
      }
      if (own && file.pos !== null) file.pos = pos;
      return done;
    },

    read: function(fd, buffer, at, len, pos) {
      try {
        return Module.host.readSync(fd, buffer, at, len, pos);
      } catch (e) {
        if (e.code !== 'EOF') throw e; /* how Windows ends a pipe */
        return 0;
      }
    },

    write: function(fd, buffer, at, len, pos) {
      for (;;) {
        try {
          return Module.host.writeSync(fd, buffer, at, len, pos);
        } catch (e) {
          if (e.code !== 'EAGAIN') throw e;
          system.pause();
        }
      }
    },

    /* The same for WASI: its errors are positive, and the result is at *to. */
    wasi: function(to, call) {
      var got = system.run(call);
      if (got < 0) return -got;
      HEAPU32[to >> 2] = got;
      return 0;
    },

    offset: function(low, high) {
      return high * 4294967296 + (low >>> 0);
    },
  },

  fd_read__deps: ['$system'],
  fd_read: function(fd, pieces, n, to) {
    return system.wasi(to, () => system.move(fd, pieces, n, null, system.read));
  },
  fd_write__deps: ['$system'],
  fd_write__postset: '',
  fd_write: function(fd, pieces, n, to) {
    return system.wasi(to, () => system.move(fd, pieces, n, null, system.write));
  },
  fd_pread__deps: ['$system'],
  fd_pread: function(fd, pieces, n, low, high, to) {
    return system.wasi(to, () => system.move(fd, pieces, n, system.offset(low, high), system.read));
  },
  fd_pwrite__deps: ['$system'],
  fd_pwrite: function(fd, pieces, n, low, high, to) {
    return system.wasi(to, () => system.move(fd, pieces, n, system.offset(low, high), system.write));
  },
  fd_seek__deps: ['$system'],
  fd_seek: function(fd, low, high, whence, to) {
    return -system.run(() => {
      var file = system.file(fd), by = system.offset(low, high), from = 0;
      if (file.pos === null) system.fail(file.fd < 0 ? 'EBADF' : 'ESPIPE');
      if (whence === 1) from = file.pos;
      else if (whence === 2) from = Module.host.fstatSync(file.fd).size;
      if (whence > 2 || from + by < 0) system.fail('EINVAL');
      file.pos = from + by;
      system.put64(to, BigInt(file.pos));
      return 0;
    });
  },
  fd_close__deps: ['$system'],
  fd_close: function(fd) {
    return -system.run(() => {
      var file = system.file(fd);
      system.files[fd] = null;
      if (--file.uses === 0 && file.fd > 2) Module.host.closeSync(file.fd);
      return 0;
    });
  },
  fd_sync__deps: ['$system'],
  fd_sync: function(fd) {
    return -system.run(() => {
      var file = system.file(fd);
      if (file.fd >= 0) Module.host.fsyncSync(file.fd);
      else Module.host.syncFolder(file.path);
      return 0;
    });
  },
  fd_fdstat_get__deps: ['$system'],
  fd_fdstat_get: function(fd, to) {
    return -system.run(() => {
      var file = system.file(fd);
      HEAPU8.fill(0, to, to + {{{ C_STRUCTS.__wasi_fdstat_t.__size__ }}});
      /* 2 is a terminal, 4 a file. */
      HEAPU8[to] = Module.host.isTerminal(file.fd) ? 2 : 4;
      return 0;
    });
  },

  __syscall_open__deps: ['$system'],
  __syscall_open: function(name, flags, more) {
    return system.run(() => system.open(system.path({{{ cDefine('AT_FDCWD') }}}, name), flags, more ? HEAPU32[more >> 2] : 0));
  },
  __syscall_openat__deps: ['$system'],
  __syscall_openat: function(dir, name, flags, more) {
    return system.run(() => system.open(system.path(dir, name), flags, more ? HEAPU32[more >> 2] : 0));
  },
  __syscall_stat64__deps: ['$system'],
  __syscall_stat64: function(name, to) {
    return system.run(() => system.stat(system.path({{{ cDefine('AT_FDCWD') }}}, name), true, to));
  },
  __syscall_lstat64__deps: ['$system'],
  __syscall_lstat64: function(name, to) {
    return system.run(() => system.stat(system.path({{{ cDefine('AT_FDCWD') }}}, name), false, to));
  },
  __syscall_fstat64__deps: ['$system'],
  __syscall_fstat64: function(fd, to) {
    return system.run(() => system.fstat(system.file(fd), to));
  },
  __syscall_fstatat64__deps: ['$system'],
  __syscall_fstatat64: function(dir, name, to, flags) {
    return system.run(() => system.stat(system.path(dir, name), !(flags & {{{ cDefine('AT_SYMLINK_NOFOLLOW') }}}), to));
  },
  __syscall_statfs64__deps: ['$system'],
  __syscall_statfs64: function(name, size, to) {
    return system.run(() => {
      var fs = Module.host.statfsSync(system.path({{{ cDefine('AT_FDCWD') }}}, name), { bigint: true });
      HEAPU32[to + {{{ C_STRUCTS.statfs.f_bsize }}} >> 2] = Number(fs.bsize);
      HEAPU32[to + {{{ C_STRUCTS.statfs.f_frsize }}} >> 2] = Number(fs.bsize);
      system.put64(to + {{{ C_STRUCTS.statfs.f_blocks }}}, fs.blocks);
      system.put64(to + {{{ C_STRUCTS.statfs.f_bfree }}}, fs.bfree);
      system.put64(to + {{{ C_STRUCTS.statfs.f_bavail }}}, fs.bavail);
      HEAPU32[to + {{{ C_STRUCTS.statfs.f_namelen }}} >> 2] = 255;
      return 0;
    });
  },
  __syscall_access__deps: ['$system'],
  __syscall_access: function(name, mode) {
    return system.run(() => {
      Module.host.accessSync(system.path({{{ cDefine('AT_FDCWD') }}}, name), mode);
      return 0;
    });
  },
  __syscall_faccessat__deps: ['$system'],
  __syscall_faccessat: function(dir, name, mode, flags) {
    return system.run(() => {
      Module.host.accessSync(system.path(dir, name), mode);
      return 0;
    });
  },
  __syscall_getcwd__deps: ['$system'],
  __syscall_getcwd: function(to, size) {
    return system.run(() => {
      var path = Module.host.cwd(), n = lengthBytesUTF8(path) + 1;
      if (n > size) system.fail('ERANGE');
      stringToUTF8(path, to, size);
      return n;
    });
  },
  __syscall_readlink__deps: ['__syscall_readlinkat'],
  __syscall_readlink: function(name, to, size) {
    return ___syscall_readlinkat({{{ cDefine('AT_FDCWD') }}}, name, to, size);
  },
  __syscall_readlinkat__deps: ['$system'],
  __syscall_readlinkat: function(dir, name, to, size) {
    return system.run(() => {
      var bytes = new TextEncoder().encode(Module.host.readlinkSync(system.path(dir, name)));
      var n = Math.min(bytes.length, size);
      HEAPU8.set(bytes.subarray(0, n), to);
      return n;
    });
  },
  __syscall_getdents64__deps: ['$system'],
  __syscall_getdents64: function(fd, to, size) {
    return system.run(() => {
      var file = system.file(fd), at = to, room = {{{ C_STRUCTS.dirent.__size__ }}};
      if (!file.names) {
        file.names = Module.host.readdirSync(file.path);
        file.names.unshift('.', '..');
      }
      for (; file.names.length > 0 && at + room <= to + size; at += room) {
        var name = file.names.shift();
        HEAPU8.fill(0, at, at + room);
        HEAPU32[at >> 2] = 1;
        HEAPU16[at + {{{ C_STRUCTS.dirent.d_reclen }}} >> 1] = room;
        stringToUTF8(name, at + {{{ C_STRUCTS.dirent.d_name }}}, 256);
      }
      return at - to;
    });
  },
  __syscall_unlink__deps: ['__syscall_unlinkat'],
  __syscall_unlink: function(name) {
    return ___syscall_unlinkat({{{ cDefine('AT_FDCWD') }}}, name, 0);
  },
  __syscall_unlinkat__deps: ['$system'],
  __syscall_unlinkat: function(dir, name, flags) {
    return system.run(() => {
      var path = system.path(dir, name);
      if (flags & {{{ cDefine('AT_REMOVEDIR') }}}) Module.host.rmdirSync(path);
      else Module.host.unlinkSync(path);
      return 0;
    });
  },
  __syscall_rename__deps: ['__syscall_renameat'],
  __syscall_rename: function(from, to) {
    return ___syscall_renameat({{{ cDefine('AT_FDCWD') }}}, from, {{{ cDefine('AT_FDCWD') }}}, to);
  },
  __syscall_renameat__deps: ['$system'],
  __syscall_renameat: function(dir, from, other, to) {
    return system.run(() => {
      Module.host.renameSync(system.path(dir, from), system.path(other, to));
      return 0;
    });
  },
  __syscall_linkat__deps: ['$system'],
  __syscall_linkat: function(dir, from, other, to, flags) {
    return system.run(() => {
      Module.host.linkSync(system.path(dir, from), system.path(other, to));
      return 0;
    });
  },
  __syscall_symlinkat__deps: ['$system'],
  __syscall_symlinkat: function(text, dir, name) {
    return system.run(() => {
      Module.host.symlinkSync(UTF8ToString(text), system.path(dir, name));
      return 0;
    });
  },
  __syscall_mkdir__deps: ['__syscall_mkdirat'],
  __syscall_mkdir: function(name, mode) {
    return ___syscall_mkdirat({{{ cDefine('AT_FDCWD') }}}, name, mode);
  },
  __syscall_mkdirat__deps: ['$system'],
  __syscall_mkdirat: function(dir, name, mode) {
    return system.run(() => {
      Module.host.mkdirSync(system.path(dir, name), { mode: mode });
      return 0;
    });
  },
  __syscall_rmdir__deps: ['__syscall_unlinkat'],
  __syscall_rmdir: function(name) {
    return ___syscall_unlinkat({{{ cDefine('AT_FDCWD') }}}, name, {{{ cDefine('AT_REMOVEDIR') }}});
  },
  __syscall_ftruncate64__deps: ['$system'],
  __syscall_ftruncate64: function(fd, low, high) {
    return system.run(() => {
      Module.host.ftruncateSync(system.file(fd).fd, system.offset(low, high));
      return 0;
    });
  },
  __syscall_fchmod__deps: ['$system'],
  __syscall_fchmod: function(fd, mode) {
    return system.run(() => {
      Module.host.fchmodSync(system.file(fd).fd, mode & 0o7777);
      return 0;
    });
  },
  __syscall_fchown32__deps: ['$system'],
  __syscall_fchown32: function(fd, owner, group) {
    return system.run(() => {
      Module.host.fchownSync(system.file(fd).fd, owner, group);
      return 0;
    });
  },
  __syscall_utimensat__deps: ['$system'],
  __syscall_utimensat: function(dir, name, times, flags) {
    return system.run(() => {
      if (name !== 0) system.fail('ENOSYS');
      var at = (i) => HEAP32[(times >> 2) + 2 * i] + HEAP32[(times >> 2) + 2 * i + 1] / 1e9;
      Module.host.futimesSync(system.file(dir).fd, at(0), at(1));
      return 0;
    });
  },
  __syscall_fcntl64__deps: ['$system'],
  __syscall_fcntl64: function(fd, call, more) {
    return system.run(() => {
      var file = system.file(fd);
      switch (call) {
      case 0:
      case 1030: /* F_DUPFD, F_DUPFD_CLOEXEC */
        file.uses++;
        return system.take(file);
      case 1:
      case 2: /* F_GETFD, F_SETFD: no program is started */
        return 0;
      case 3: /* F_GETFL */
        return file.flags;
      }
      return system.fail('EINVAL');
    });
  },
  __syscall_dup__deps: ['$system'],
  __syscall_dup: function(fd) {
    return system.run(() => {
      var file = system.file(fd);
      file.uses++;
      return system.take(file);
    });
  },
  __syscall_ioctl__deps: ['$system'],
  __syscall_ioctl: function(fd, call, more) {
    return system.run(() => {
      var size = call === 0x5413 ? Module.host.windowSize(system.file(fd).fd) : undefined;
      if (!size) system.fail('ENOTTY');
      var to = HEAPU32[more >> 2];
      HEAPU16[to >> 1] = size[1];
      HEAPU16[(to >> 1) + 1] = size[0];
      return 0;
    });
  },
  __syscall_poll__deps: ['$system'],
  __syscall_poll: function(fds, n, timeout) {
    for (var i = 0; i < n; i++) HEAP16[(fds >> 1) + 4 * i + 3] = HEAP16[(fds >> 1) + 4 * i + 2];
    if (timeout > 0) system.pause();
    return n;
  },
  __syscall_fadvise64_64: function() {
    return 0;
  },
  getentropy: function(to, n) {
    Module.host.random(HEAPU8.subarray(to, to + n));
    return 0;
  },

  /* Called by the C code of the package (jobs.c). */
  salvor_progress: function(phase, done, total) {
    return Module.progress(phase, done, total) ? 1 : 0;
  },
  salvor_owner: function() {
    return Module.host.owner();
  },
  salvor_host_name: function(to, n) {
    stringToUTF8(Module.host.hostName(), to, n);
  },
});
