"""What the tests of the page that repairs logs share: a server that notes what it is
asked for, and what a person does on the page.
"""
import functools
import http.server
import json
import pathlib
import re
import threading
import time

from browser import Browser

PATIENCE = 60  # seconds for a job on a small log


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, prints nothing, and notes each request."""

    def log_message(self, *_):  # pylint: disable=arguments-differ
        """No line for a request."""

    def send_response(self, code, message=None):
        """Each path that was asked for."""
        self.server.asked.append(self.path)
        super().send_response(code, message)


class Server:
    """A folder on a server."""

    def __init__(self, folder):
        self.http = http.server.ThreadingHTTPServer(
            ('127.0.0.1', 0), functools.partial(Quiet, directory=str(folder)))
        self.http.asked = self.asked = []
        self.url = 'http://127.0.0.1:%d/' % self.http.server_port
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self):
        """No request is answered any more."""
        self.http.shutdown()
        self.http.server_close()


def requests_in(log):
    """The addresses that pages and their workers asked for, in Chromium's own log of the
    network; what it asks for itself has no origin."""
    asked = []
    for line in log.read_text(encoding='utf-8').splitlines():
        found = re.search(r'"initiator":"([^"]*)".*"url":"([^"]*)"', line)
        if found and found[1] != 'not an origin':
            asked.append(found[2])
    return asked


class Page(Browser):
    """The page in a window, and what a person does with it."""

    def __init__(self, folder, *words):
        super().__init__(folder, *words)
        self.folder = pathlib.Path(folder) / 'downloads'
        self.folder.mkdir(exist_ok=True)
        self.downloads(self.folder)

    def go(self, url):
        """Load it."""
        self.call('POST', '/url', {'url': url})

    def wait(self, script, *arguments, patience=PATIENCE):
        """Until a script returns something that is true; what that is."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            found = self.run('return ' + script, *arguments)
            if found:
                return found
            time.sleep(0.05)
        return None

    @staticmethod
    def wait_for(good, patience=10):
        """Until good() is true; whether it is."""
        end = time.monotonic() + patience
        while not good():
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def idle(self, patience=PATIENCE):
        """Until no job runs or waits."""
        return self.wait('document.querySelector(".entry")'
                         ' && !document.querySelector(".running")',
                         patience=patience)

    def add(self, *logs, patience=PATIENCE):
        """Choose logs, and wait until they are checked."""
        self.choose('#choose', *logs)
        return self.idle(patience)

    def new(self, act, patience=PATIENCE):
        """The file that is downloaded when something is done; None: it fails."""
        before = set(self.folder.iterdir())
        act()
        self.idle(patience)
        end = time.monotonic() + 10
        while time.monotonic() < end:
            for path in set(self.folder.iterdir()) - before:
                # Chromium first makes an empty file, to have its name.
                if (path.suffix != '.crdownload' and path.name[0] != '.'
                        and path.exists() and path.stat().st_size > 0):
                    return path
            if self.run('return !!document.querySelector(".notes .bad")'):
                break
            time.sleep(0.02)
        return None

    def press_on(self, what, which=0):
        """Press a button of a log, as with a mouse: downloads need that."""
        self.click('.entry:nth-child(%d) [data-do=%s]' % (which + 1, what))

    def do(self, what, which=0, patience=PATIENCE):
        """The same; the file that is downloaded then."""
        return self.new(lambda: self.press_on(what, which), patience)

    def json(self):
        """What the report of the first log says; the download is removed."""
        path = self.do('json')
        report = json.loads(path.read_text(encoding='utf-8'))
        loss = (report['output'] or {}).get('sidecar')
        assert path.name == (loss or report['file'] + '.report.json'), path
        path.unlink()
        return report

    def has(self, what):
        """Whether the first log has such a button."""
        return self.run('return !!document.querySelector("[data-do=%s]")' % what)

    def clear(self):
        """Take all logs off the list, and remove all downloads."""
        self.run('document.querySelectorAll("[data-do=remove]")'
                 '.forEach(button => button.click())')
        for path in self.folder.iterdir():
            path.unlink()

    def notes(self):
        """What is said of the first log."""
        return self.text('.notes') or ''

    def drawn(self, selector):
        """An element as HTML, when the maps in it are drawn."""
        return self.run_long('''
for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
return document.querySelector(given[0])?.outerHTML;''', selector)

    def files(self):
        """The names and bytes in the folder of its origin, in base64."""
        return self.run_long('''
const found = {};
for await (const [name, file] of (await navigator.storage.getDirectory())) {
  if (file.kind !== "file") continue;
  const bytes = new Uint8Array(await (await file.getFile()).arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096)
    text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  found[name] = btoa(text);
}
return found;''')

    def scratch(self):
        """The folders of pages, and how many files are in each."""
        return self.run_long('''
const found = {};
const all = await (await navigator.storage.getDirectory()).getDirectoryHandle("salvor");
for await (const [name, folder] of all) {
  found[name] = 0;
  for await (const file of folder.keys()) found[name]++;
}
return found;''')

    def drop(self, *paths):
        """Drop files or folders on the page, as from another window."""
        data = {'items': [], 'files': [str(path) for path in paths],
                'dragOperationsMask': 1}
        for kind in 'dragEnter', 'dragOver', 'drop':
            self.devtools('Input.dispatchDragEvent', type=kind, x=300, y=300,
                          data=data)

    def spoken(self):
        """[role, name] of all that a screen reader gets."""
        self.devtools('Accessibility.enable')
        tree = self.devtools('Accessibility.getFullAXTree')['nodes']
        return [(node.get('role', {}).get('value'),
                 node.get('name', {}).get('value')) for node in tree
                if not node.get('ignored')]

    def before(self, script):
        """Run a script before those of each page from now on; its id."""
        return self.devtools('Page.addScriptToEvaluateOnNewDocument',
                             source=script)['identifier']

    def not_before(self, script):
        """No more."""
        self.devtools('Page.removeScriptToEvaluateOnNewDocument',
                      identifier=script)
