// load.mjs - the library and the program, on the files of a host.

import createSalvor from "./salvor.mjs";

// Resolves with emscripten's module.
//
//   wasm      a compiled WebAssembly.Module
//   host      nodeHost, or one of blob_host.mjs
//   progress  called with phase, bytes done and bytes in all; true stops the job
//   env       the environment of the program
export function load({ wasm, host, progress = () => false, env = {} }) {
  return createSalvor({
    host,
    progress,
    preRun: [(module) => Object.assign(module.ENV, env)],
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(wasm, imports).then(done);
      return {};
    },
  });
}
