"""What the tests of the page share: pages made by salvor, and a window of a real
browser to look at them.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped; SALVOR_PICTURES is a folder for screenshots.
"""
import base64
import hashlib
import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import browser
from tally import check, end

TOP = pathlib.Path(os.environ.get('SALVOR_SRCDIR',
                                  pathlib.Path(__file__).parents[2])).resolve()
SALVOR = str(pathlib.Path(os.environ.get('SALVOR', './salvor')).resolve())
PICTURES = os.environ.get('SALVOR_PICTURES')


def salvor(*arguments):
    """Run it; what it printed."""
    done = subprocess.run([SALVOR, *arguments], stdin=subprocess.DEVNULL,
                          capture_output=True, check=False)
    check('salvor %s: code' % ' '.join(arguments[:2]),
          done.returncode in (0, 1, 3, 4, 7, 64, 68), done.stderr)
    return done.stdout.decode()


def objects(*arguments):
    """What it printed of files, as objects."""
    return [report for report in map(json.loads,
                                     salvor(*arguments).splitlines())
            if report['type'] == 'file']


class Elements(html.parser.HTMLParser):
    """What a parser of HTML sees in a page."""

    def __init__(self):
        super().__init__()
        self.tags = []
        self.texts = {}
        self.inside = None

    def handle_starttag(self, tag, attrs):
        """Remember scripts and styles by what they are."""
        self.tags.append((tag, dict(attrs)))
        self.inside = tag in ('script', 'style')
        if self.inside:
            self.texts.setdefault((tag, dict(attrs).get('type')),
                                  []).append('')

    def handle_endtag(self, tag):
        """What follows is outside."""
        self.inside = False

    def handle_data(self, data):
        """The texts of those; it comes in pieces."""
        if self.inside:
            tag, attributes = self.tags[-1]
            self.texts[(tag, attributes.get('type'))][-1] += data


def check_source(name, logs):
    """The page as text: one script, one style, a policy that names both."""
    seen = Elements()
    text = pathlib.Path(name).read_text(encoding='utf-8')
    seen.feed(text)
    policy = [a['content'] for t, a in seen.tags
              if t == 'meta' and 'Content-Security-Policy' in a.values()]
    check(name + ': one policy', len(policy) == 1, policy)
    check(name + ': nothing by default',
          policy[0].startswith("default-src 'none'; script-src 'sha256-"),
          policy)
    check(name + ': nothing unsafe', 'unsafe' not in policy[0], policy)
    for kind in ('script', 'module'), ('style', None):
        texts = seen.texts.get(kind, [])
        check('%s: one %s' % (name, kind[0]), len(texts) == 1, len(texts))
        digest = hashlib.sha256(texts[0].encode()).digest()
        check('%s: its policy has its %s' % (name, kind[0]),
              "'sha256-%s'" % base64.b64encode(digest).decode()
              in policy[0], policy)
    inert = [a.get('id') for t, a in seen.tags
             if t == 'script' and a.get('type') == 'application/json']
    check(name + ': a text for each log', len(inert) == logs + 1, len(inert))
    check(name + ': nothing else', {t for t, _ in seen.tags} <= {
        'html', 'head', 'meta', 'title', 'style', 'body', 'a', 'header', 'p',
        'b', 'span', 'nav', 'main', 'noscript', 'script'},
        {t for t, _ in seen.tags})
    code = ''.join(seen.texts[('script', 'module')])
    for word in ('innerHTML', 'outerHTML', 'insertAdjacentHTML',
                 'document.write', 'eval(', 'fetch(', 'import('):
        check('%s: no %s' % (name, word), word not in code)
    links = set(re.findall(r'https?://[^"\'\s<]*', code))
    check(name + ': no address', links == {'http://www.w3.org/2000/svg'},
          links)


def calm(page, what):
    """The browser has not complained."""
    said = page.complaints()
    check(what + ': no complaint', not said, said)


def picture(page, name):
    """For those who want to look."""
    if PICTURES:
        page.picture('%s/%s.png' % (PICTURES, name))


def wait(page, script, *arguments):
    """Until the script returns something that is true; what that is."""
    for _ in range(100):
        found = page.run('return ' + script, *arguments)
        if found:
            return found
        time.sleep(0.05)
    return None


def check_names(page, what):
    """All that can be used has a name, says Chromium of what it tells a
    screen reader."""
    page.devtools('Accessibility.enable')
    tree = page.devtools('Accessibility.getFullAXTree')['nodes']
    used = {'button', 'link', 'textbox', 'searchbox', 'combobox', 'slider',
            'application', 'region', 'table', 'image', 'columnheader'}
    nameless = [node.get('role', {}).get('value') for node in tree
                if not node.get('ignored')
                and node.get('role', {}).get('value') in used
                and not node.get('name', {}).get('value')]
    check(what + ': everything has a name', not nameless, nameless)
    roles = [node.get('role', {}).get('value') for node in tree]
    check(what + ': landmarks', 'main' in roles and 'heading' in roles, roles)


def damaged():
    """A log with several holes and no end."""
    log = bytearray((TOP / 'testdata/bddf/good-patrol.bddf').read_bytes())
    size = len(log)
    for at, n in ((size // 5, 600), (size // 2, 4000), (size * 3 // 4, 5000)):
        log[at:at + n] = bytes(n)
    pathlib.Path('patrol.bddf').write_bytes(log[:size - 3000])


def looks(page, name):
    """Light, dark, and on paper, of how many pages of which is returned."""
    page.open(os.path.abspath(name + '.html'))
    colours = []
    for dark in False, True:
        page.dark(dark)
        colours.append(page.run(
            'const s = getComputedStyle(document.documentElement);'
            'return [s.backgroundColor, s.color]'))
        picture(page, '%s-%s' % (name, 'dark' if dark else 'light'))
    check(name + ': dark is another', colours[0][0] != colours[1][0]
          and colours[0][1] != colours[1][1], colours)
    page.dark(False)
    paper = base64.b64decode(page.devtools(
        'Page.printToPDF', printBackground=True)['data'])
    pages = len(re.findall(rb'/Type\s*/Page\b', paper))
    check(name + ': prints', paper[:5] == b'%PDF-' and pages > 0, pages)
    calm(page, name + ' as it looks')
    return pages


def run(*tests):
    """Each test in turn, in one window and a folder of its own; the end of
    the program, which is skipped where there is no browser."""
    if not browser.is_there():
        print('skipped, needs chromium and chromium-driver')
        sys.exit(1 if os.environ.get('CI') else 77)
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        with browser.Browser(scratch) as window:
            for test in tests:
                test(window)
        os.chdir(TOP)
    end()
