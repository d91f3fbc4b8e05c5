#!/usr/bin/python3
"""The package for npm in a browser: does it do what the program does?

    check_npm_browser.py PACKAGE PROGRAM LOG...

PACKAGE is the folder of the package, PROGRAM the native one.  Each LOG is given to
the library as a File in Chromium; reports, repaired logs, exports and the number of records
are compared.  The last line has the totals.
"""
import base64
import functools
import http.server
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parent / 'support'))

from browser import Browser  # noqa: E402  pylint: disable=wrong-import-position

SCRIPT = '''
const salvor = await import("/index.mjs");
const bytes = Uint8Array.from(atob(given[0]), (c) => c.charCodeAt(0));
const file = new File([bytes], "log");
const text = async (blob) => {
  const got = new Uint8Array(await blob.arrayBuffer());
  let out = "";
  for (let i = 0; i < got.length; i += 4096)
    out += String.fromCharCode(...got.subarray(i, i + 4096));
  return btoa(out);
};
// Not every file has records.
const maybe = async (job) => {
  try { return await job(); } catch (e) { if (e.code !== "refused") throw e; }
};
const verify = await salvor.verify(file);
const repair = await salvor.repair(file);
const mcap = await maybe(() => salvor.exportMcap(file));
let records = 0;
await maybe(async () => {
  for await (const record of await salvor.read(file)) records++;
});
let refused;
try { await salvor.verify(file, { nonsense: 1 }); } catch (e) { refused = e.code; }
return { state: verify.report.state, problems: verify.report.problems,
  repaired: repair.blob ? await text(repair.blob) : null,
  mcap: mcap?.blob ? await text(mcap.blob) : null, records, refused };
'''


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, and prints nothing."""

    extensions_map = {'.mjs': 'text/javascript', '.wasm': 'application/wasm',
                      '': 'text/html'}

    def log_message(self, *_):  # pylint: disable=arguments-differ
        """No line for a request."""


def native(program, log, folder):
    """What the program reports and writes of a log."""
    copy, out, mcap = (folder / name for name in
                       ('log', 'log.repaired', 'out.mcap'))
    shutil.copyfile(log, copy)
    done = subprocess.run([program, 'verify', '--json', log], check=False,
                          capture_output=True)
    report = json.loads(done.stdout)
    subprocess.run([program, 'repair', '-q', '-f', copy],
                   check=False, capture_output=True)
    subprocess.run([program, 'export', '-f', '-o', mcap, log],
                   check=False, capture_output=True)
    lines = subprocess.run(
        [program, 'export', '--to', 'ndjson', '-o', '-', log],
        check=False, capture_output=True).stdout.split(b'\n')
    found = {'state': report['state'], 'problems': report['problems'],
             'records': sum(line.startswith(b'{"topic"') for line in lines),
             'refused': 'usage'}
    for key, path in (('repaired', out), ('mcap', mcap)):
        found[key] = (base64.b64encode(path.read_bytes()).decode()
                      if path.exists() else None)
        path.unlink(missing_ok=True)
    return found


def main():
    """Compare, and say what differs."""
    package, program, *logs = map(pathlib.Path, sys.argv[1:])
    failed = 0
    server = http.server.ThreadingHTTPServer(
        ('127.0.0.1', 0),
        functools.partial(Quiet, directory=str(package)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder, Browser(folder) as browser:
        browser.call('POST', '/url', {
            'url': 'http://127.0.0.1:%d/package.json' % server.server_port})
        for log in logs:
            want = native(program, log, pathlib.Path(folder))
            got = browser.run_long(
                SCRIPT, base64.b64encode(log.read_bytes()).decode())
            wrong = ([got] if isinstance(got, str) else
                     [key for key in want if got.get(key) != want[key]])
            failed += bool(wrong)
            if wrong:
                print('no: %s: %s' % (log, ', '.join(wrong)))
    server.shutdown()
    print('%d passed, %d failed' % (len(logs) - failed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
