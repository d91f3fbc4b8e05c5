"""A real browser for tests: Chromium by chromedriver, which is spoken to over
HTTP as the W3C's WebDriver has it.  Nothing but Python's own library.
"""
import base64
import json
import os
import re
import shutil
import subprocess
import urllib.error
import urllib.request

PATIENCE = 120  # seconds for one command
ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
KEYS = {'Enter': '\ue007', 'Tab': '\ue004', 'Left': '\ue012',
        'Up': '\ue013', 'Right': '\ue014', 'Down': '\ue015',
        'Home': '\ue011', 'End': '\ue010'}


def is_there():
    """Whether this machine has the browser and its driver."""
    return bool(shutil.which('chromedriver') and shutil.which('chromium'))


class Browser:
    """A window; use it with `with`.  Words are for Chromium's command line."""

    def __init__(self, folder, *words, width=1280, height=900):
        self.driver = subprocess.Popen(
            ['chromedriver', '--port=0'], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, 'HOME': str(folder)})
        self.session = None
        for line in self.driver.stdout:
            found = re.search(r'successfully on port (\d+)', line)
            if found:
                break
        self.base = 'http://127.0.0.1:%s' % found.group(1)
        options = {
            'binary': shutil.which('chromium'),
            'args': ['--headless=new', '--no-sandbox', '--disable-gpu',
                     '--disable-dev-shm-usage', '--hide-scrollbars',
                     # More than 200 changes of an address in 10 s count.
                     '--disable-ipc-flooding-protection',
                     '--window-size=%d,%d' % (width, height),
                     '--user-data-dir=%s/profile' % folder, *words]}
        try:
            self.session = self.call('POST', '/session', {
                'capabilities': {'alwaysMatch': {
                    'browserName': 'chrome', 'goog:chromeOptions': options,
                    'goog:loggingPrefs': {'browser': 'ALL'}}}})['sessionId']
        except Exception:
            self.close()
            raise
        self.base += '/session/' + self.session
        self.call('POST', '/timeouts', {'script': PATIENCE * 1000})

    def call(self, method, path, body=None):
        """One command of the protocol; the value of its answer."""
        data = json.dumps(body or {}).encode() if method == 'POST' else None
        request = urllib.request.Request(self.base + path, data, {
            'Content-Type': 'application/json'}, method=method)
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=2 * PATIENCE) as answer:
                return json.load(answer)['value']
        except urllib.error.HTTPError as error:
            raise RuntimeError('%s %s: %s' % (
                method, path, error.read().decode()[:500])) from error

    def open(self, path):
        """Load a file."""
        self.call('POST', '/url', {'url': 'file://' + str(path)})

    def run(self, script, *arguments):
        """Run the body of a function in the page; what it returns."""
        return self.call('POST', '/execute/sync', {
            'script': script, 'args': list(arguments)})

    def run_long(self, script, *arguments):
        """The same of an async function."""
        return self.call('POST', '/execute/async', {
            'script': 'const done = arguments[arguments.length - 1];'
                      '(async (...given) => {%s})(...arguments).then(done,'
                      ' e => done(String(e)))' % script,
            'args': list(arguments)})

    def find(self, selector):
        """The id of the first element."""
        return self.call('POST', '/element', {
            'using': 'css selector', 'value': selector})[ELEMENT]

    def text(self, selector):
        """What the first element says."""
        return self.run('return document.querySelector(arguments[0])'
                        '?.textContent', selector)

    def click(self, selector):
        """As with a mouse."""
        self.call('POST', '/element/%s/click' % self.find(selector))

    def choose(self, selector, *paths):
        """Choose files, as in the dialog of an input."""
        self.call('POST', '/element/%s/value' % self.find(selector),
                  {'text': '\n'.join(map(str, paths))})

    def downloads(self, folder):
        """Where files go that are downloaded."""
        self.devtools('Browser.setDownloadBehavior', behavior='allow',
                      downloadPath=str(folder))

    def type(self, selector, text):
        """As with a keyboard; names of KEYS stand for those keys."""
        self.call('POST', '/element/%s/value' % self.find(selector),
                  {'text': KEYS.get(text, text)})

    def press(self, key):
        """A key of KEYS, for what has the focus."""
        self.call('POST', '/actions', {'actions': [{
            'type': 'key', 'id': 'keys', 'actions': [
                {'type': kind, 'value': KEYS[key]}
                for kind in ('keyDown', 'keyUp')]}]})

    def devtools(self, command, **parameters):
        """One command of Chromium's own protocol."""
        return self.call('POST', '/goog/cdp/execute', {
            'cmd': command, 'params': parameters})

    def dark(self, yes):
        """What the page is told that its reader likes."""
        self.devtools('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-color-scheme',
             'value': 'dark' if yes else 'light'}])

    def complaints(self):
        """What the browser has logged since this was last asked."""
        return [entry['message'] for entry in
                self.call('POST', '/se/log', {'type': 'browser'})]

    def picture(self, path):
        """A picture of the window."""
        with open(path, 'wb') as out:
            out.write(base64.b64decode(self.call('GET', '/screenshot')))

    def close(self):
        """End the browser, and the driver that was started for it."""
        try:
            if self.session:
                self.call('DELETE', '')
        finally:
            self.driver.terminate()
            self.driver.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
