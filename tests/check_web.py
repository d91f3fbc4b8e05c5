#!/usr/bin/python3
"""The page that repairs logs (web/), in Chromium: does it do what the program does,
and nothing else?

    check_web.py DIST PROGRAM

DIST is where `make dist-web` has put both forms of the page, PROGRAM the native
one.  With SALVOR_LONG=1 all of testdata is repaired and exported, not a log of each
format, and a log of 2 GB is.  The last line has the totals.
"""
import base64
import hashlib
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP / 'tests/support'))
os.environ.setdefault('SALVOR_SRCDIR', str(TOP))

# pylint: disable=wrong-import-position
import bag_writer  # noqa: E402
import browser  # noqa: E402
from bag_samples import connections  # noqa: E402
from page_trial import Elements, check_names, picture  # noqa: E402
from tally import check, end  # noqa: E402
from web_trial import Page, Server, requests_in  # noqa: E402

DATA = TOP / 'testdata'
DIST, PROGRAM = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
LONG = os.environ.get('SALVOR_LONG')
ALONE = next(DIST.glob('salvor-*.html'))
SAMPLES = ['bddf/bad-cut-patrol.bddf', 'bddf/good-patrol.bddf', 'bddf/alien-gzip.bddf']
FORMATS = ['carla', 'cyber', 'dataflash', 'mcap', 'rosbag', 'ulog']


def samples():
    """A log of each format and some more; or all."""
    if LONG:
        return sorted(path for path in DATA.rglob('*')
                      if path.is_file() and path.name not in
                      ('README.md', 'expect.txt'))
    return [DATA / name for name in SAMPLES] + [
        sorted((DATA / name).glob('bad-*'))[0] for name in FORMATS]


def native(folder, *words):
    """Run the program in a folder; what it prints."""
    return subprocess.run([PROGRAM, *words], cwd=folder, check=False,
                          capture_output=True).stdout


def same(what, got, want):
    """Two files are the same, or there is none of both."""
    one, other = (path.read_bytes() if path is not None and path.exists()
                  else None for path in (got, want))
    check(what, one == other, (got, want))


def digest(text):
    """As a policy has it."""
    return "'sha256-%s'" % base64.b64encode(
        hashlib.sha256(text.encode()).digest()).decode()


def check_policy(path, worker):
    """The page as text: one script, one style, and a policy that has no more."""
    seen = Elements()
    seen.feed(path.read_text(encoding='utf-8'))
    policy = next(a['content'] for _, a in seen.tags
                  if 'Content-Security-Policy' in a.values())
    code, style = (''.join(seen.texts[kind])
                   for kind in (('script', 'module'), ('style', None)))
    want = ["default-src 'none'",
            "script-src %s 'wasm-unsafe-eval'" % digest(code),
            'style-src ' + digest(style), 'img-src data:', worker,
            "base-uri 'none'", "form-action 'none'"]
    check(path.name + ': policy', policy.split('; ') == want, policy)
    check(path.name + ': elements', {tag for tag, _ in seen.tags} <= {
        'html', 'head', 'meta', 'link', 'title', 'style', 'body', 'a', 'header',
        'p', 'b', 'span', 'main', 'div', 'section', 'h1', 'h2', 'input', 'label',
        'button', 'ol', 'svg', 'path', 'script'}, {tag for tag, _ in seen.tags})
    check(path.name + ': nothing from elsewhere', all(
        a[key].startswith(('#', 'data:')) for _, a in seen.tags
        for key in ('src', 'href') if key in a))
    links = set(re.findall(r'https?://[^"\'\s<]*', code))
    check(path.name + ': no address', links == {'http://www.w3.org/2000/svg'},
          links)


def check_log(page, log, folder):
    """Check, repair, export and report a log: all as the program does."""
    name = log.name
    mine = folder / name
    shutil.copyfile(log, mine)
    page.clear()
    was = (mine.read_bytes(), mine.stat().st_mtime_ns)
    page.add(mine)
    html = folder / 'native.html'
    native(folder, 'verify', '-q', '--html', html, name)
    shown = page.drawn('.report .log')
    check(name + ': report', shown, page.notes())
    report = page.json()
    native(folder, 'repair', '-q', name)
    repaired = [path for path in folder.iterdir() if '.repaired' in path.name
                and not path.name.endswith('.salvor.json')]
    if page.has('repair'):
        got = page.do('repair')
        same(name + ': repaired log', got, repaired[0] if repaired else None)
        check(name + ': both stay', 'both files stay' in page.notes(),
              page.notes())
        lost = folder / (repaired[0].name + '.salvor.json')
        losses = page.json()
        check(name + ': loss report', losses['job'] == 'repair'
              and bool(losses['output']['sidecar']) == lost.exists(), losses)
    else:
        check(name + ': nothing to repair', not repaired, repaired)
    if page.has('export'):
        native(folder, 'export', '-q', '-o', 'native.mcap', name)
        same(name + ': export', page.do('export'), folder / 'native.mcap')
    check(name + ': its format', page.has('export') or report['format'] is None
          or report['state'] == 'unsupported', report['state'])
    check(name + ': input', was == (mine.read_bytes(), mine.stat().st_mtime_ns))
    return shown, html


def check_logs(page, scratch):
    """Each log; the report is that of a page of --html, element for element."""
    shown = {}
    for log in samples():
        folder = scratch / 'log'
        folder.mkdir()
        shown[log.name], html = check_log(page, log, folder)
        if html.exists():
            shutil.move(html, scratch / (log.name + '.html'))
        shutil.rmtree(folder)
    page.clear()
    for name, want in shown.items():
        page.go('file://%s/%s.html' % (scratch, name))
        got = page.drawn('.log')
        check(name + ': report as on a page of --html', got == want,
              (got or '')[:300] + '\n' + (want or '')[:300])


def check_report_page(page, url, scratch):
    """A page of two reports is the one that `salvor report` makes of them."""
    page.go(url)
    logs = [DATA / name for name in SAMPLES[:2]]
    page.add(*logs)
    lines = [page.do('json', i) for i in range(2)]
    both = scratch / 'both.json'
    both.write_bytes(b''.join(line.read_bytes() for line in lines))
    native(scratch, 'report', '-o', 'both.html', both)
    native(scratch, 'report', '-o', 'one.html', lines[0])
    same('page of a report', page.do('page'), scratch / 'one.html')
    same('page of all reports', page.new(lambda: page.click('#all')),
         scratch / 'both.html')
    page.clear()


CONTROL = 'http://127.0.0.1:9/control'

# Ways out of a page, to a server; each says whether it got through.
LEAKS = '''
const to = arguments[0] + "leak?";
const worker = new Worker(URL.createObjectURL(new Blob([
  `fetch("${to}4").then(() => postMessage("out"), () => postMessage("kept"))`])));
const image = new Image();
const all = [
  fetch(to + 1).then(() => "out", () => "kept"),
  new Promise((done) => {
    image.onload = () => done("out");
    image.onerror = () => done("kept");
    image.src = to + 2;
  }),
  new Promise((done) => {
    const socket = new WebSocket((to + 3).replace("http", "ws"));
    socket.onopen = () => done("out");
    socket.onerror = () => done("kept");
  }),
  new Promise((done) => {
    worker.onmessage = (event) => done(event.data);
    worker.onerror = () => done("kept");
  }),
  new Promise((done) => {
    const script = document.createElement("script");
    script.onload = () => done("out");
    script.onerror = () => done("kept");
    script.src = to + 5;
    document.head.append(script);
  }),
];
navigator.sendBeacon(to + 6, "log");
Promise.all(all).then(arguments[1]);
'''


def check_policy_works(page, server):
    """It has asked for nothing but itself, and could not."""
    check('asked of the server', set(server.asked) <= {'/', '/offline.js'},
          server.asked)
    page.go(server.url)
    found = page.call('POST', '/execute/async', {
        'script': LEAKS, 'args': [server.url]})
    check('no way out', found == ['kept'] * 5, found)
    check('nothing went out', not [path for path in server.asked
                                   if 'leak' in path], server.asked)
    page.complaints()


def check_requests(log, server):
    """Neither form of the page, nor a worker, has asked anyone else.  One more request
    shows that the log has them."""
    asked = set(requests_in(log))
    check('requests', asked == {server.url, server.url + 'offline.js', CONTROL},
          asked)


def check_cancel(page, scratch):
    """A job that is cancelled leaves nothing, whether it runs or waits."""
    logs = [scratch / ('long-%d.bddf' % i) for i in range(3)]
    logs[0].write_bytes((DATA / SAMPLES[0]).read_bytes() + os.urandom(2 * 10 ** 8))
    for log in logs[1:]:
        os.link(logs[0], log)
    page.clear()
    page.choose('#choose', *logs)
    check('progress', page.wait(
        '[...document.querySelectorAll(".running")].some(one => one.querySelector('
        '"progress").value > 0 && one.textContent.includes(" of 200 MB"))'))
    page.run('[...document.querySelectorAll("[data-do=cancel]")].reverse()'
             '.forEach(button => button.click())')
    page.idle(10)
    check('cancelled', page.run(
        'return [...document.querySelectorAll(".notes")].every('
        'n => n.textContent.includes("cancelled; nothing was written"))'),
        page.notes())
    page.clear()
    folder_of(page)
    page.choose('#choose', DATA / SAMPLES[0])
    page.idle()
    page.run('document.querySelector("[data-do=repair]").click();'
             'document.querySelector("[data-do=cancel]").click()')
    page.idle()
    check('a repair that is cancelled', 'cancelled' in page.notes()
          and page.has('repair'), page.notes())
    check('nothing is left', page.files() == {}
          and not list(page.folder.iterdir()), page.files())


def check_refused(page):
    """A folder that the browser does not give: a sentence that is seen and heard."""
    page.add(DATA / SAMPLES[1])
    page.run('showDirectoryPicker = async () => { throw new Error("no way"); };'
             'document.getElementById("folder").click()')
    check('no folder', page.wait_for(lambda: 'no way' in page.text('#trouble'))
          and 'no way' in page.text('#live')
          and not page.run('return document.getElementById("trouble").hidden'))
    page.clear()


def folder_of(page):
    """Let the page have a folder, that of the browser for its origin."""
    page.run('showDirectoryPicker = () => navigator.storage.getDirectory();'
             'document.getElementById("folder").click()')
    check('a folder', page.wait(
        'document.getElementById("folder").textContent.includes("×")'))


def check_long(page, url, scratch):
    """A long output goes to a file of the browser, which is gone after a job that is
    cancelled, and with its page."""
    noise = random.Random(1).randbytes(100000)
    bag = bag_writer.write(connections(2), [
        bag_writer.Message(n % 2, 1700000000 + n, 0, noise) for n in range(300)],
        bag_writer.Shape(compression=('none',)))
    log = scratch / 'long.bag'
    log.write_bytes(bag[:-200000])
    native(scratch, 'repair', '-q', log)
    page.go(url)
    page.add(log)
    page.run_long('''
document.querySelector("[data-do=repair]").click();
while (!(document.querySelector("progress").value > 0))
  await new Promise((soon) => setTimeout(soon, 1));
document.querySelector("[data-do=cancel]").click();''')
    page.idle()
    check('a long output that is cancelled', 'cancelled' in page.notes()
          and page.wait_for(lambda: list(page.scratch().values()) == [0]),
          (page.notes(), page.scratch()))
    same('a long output', page.do('repair'), scratch / 'long.repaired.bag')
    before = page.scratch()
    check('it is a file', list(before.values()) == [1], before)
    page.go('about:blank')
    page.go(url)
    check('gone with its page', page.wait_for(
        lambda: len(page.scratch()) == 1
        and not set(before) & set(page.scratch())), page.scratch())


def check_folder(page, scratch):
    """Into a folder: complete, and never over a file that is there."""
    name = 'bad-cut-patrol.repaired.bddf'
    page.press_on('repair')
    page.idle()
    native(scratch, 'repair', '-q', '-o', name, DATA / SAMPLES[0])
    found = page.files()
    check('into a folder', list(found) == [name] and base64.b64decode(
        found[name]) == (scratch / name).read_bytes(), list(found))
    page.press_on('save')
    page.idle()
    check('a file that is there', 'exists in the folder' in page.notes()
          and page.files() == found, page.notes())
    page.click('#folder')
    check('downloads again', 'Save' in page.text('#folder'))
    page.clear()


def check_drop(page, scratch):
    """Files and folders that are dropped; names are text."""
    folder = scratch / 'dropped'
    (folder / 'in').mkdir(parents=True)
    name = '<img src=x onerror=alert(1)>.bddf'
    shutil.copyfile(DATA / SAMPLES[0], folder / name)
    shutil.copyfile(DATA / SAMPLES[1], folder / 'in' / 'second.bddf')
    page.drop(folder / name)
    check('dropped', page.idle() and page.text('.name') == name,
          page.text('.name'))
    check('names are text', page.run('return document.images.length') == 0)
    page.run('document.querySelector("[data-do=repair]").click();'
             'document.querySelector("[data-do=remove]").click()')
    check('off the list while a job runs', page.wait_for(
        lambda: 'off the list' in page.text('#live')) and not page.run(
            'return document.querySelector(".entry")'), page.text('#live'))
    page.drop(folder)
    page.idle()
    names = page.run('return [...document.querySelectorAll(".name")]'
                     '.map(node => node.textContent)')
    check('a folder that is dropped', sorted(names) == [name, 'second.bddf'],
          names)
    page.clear()


def check_people(page):
    """Keys, what a screen reader is told, colours, the width of a phone."""
    check_names(page, 'before')
    picture(page, 'web-start')
    page.run('document.activeElement.blur()')
    keys = []
    for _ in range(3):
        page.press('Tab')
        keys.append(page.run('const a = document.activeElement;'
                             'return a.id || a.className || a.tagName'))
    check('keys', keys[:2] == ['skip', 'choose'], keys)
    page.add(DATA / SAMPLES[0])
    said = page.text('#live')
    check('said', 'bad-cut-patrol.bddf: damaged' in said, said)
    check_names(page, 'with a log')
    spoken = page.spoken()
    check('a button says of which log',
          ('button', 'Repair, bad-cut-patrol.bddf') in spoken, spoken[:40])
    page.run('document.querySelector("[data-do=repair]").focus()')
    page.press('Enter')
    page.wait('document.querySelector("[data-do=save]")')
    check('the focus stays at its log', page.run(
        'return document.querySelector(".entry").contains('
        'document.activeElement)'))
    colours = []
    for dark in True, False:
        page.dark(dark)
        picture(page, 'web-dark' if dark else 'web-light')
        colours.append(page.run('return getComputedStyle('
                                'document.documentElement).backgroundColor'))
    check('dark', colours[0] != colours[1], colours)
    page.devtools('Emulation.setDeviceMetricsOverride', width=360, height=740,
                  deviceScaleFactor=2, mobile=True)
    picture(page, 'web-phone')
    wide = page.run('return document.documentElement.scrollWidth')
    check('a phone', wide <= 360, wide)
    page.devtools('Emulation.clearDeviceMetricsOverride')
    page.clear()


def check_missing(page, url):
    """Without what it needs it says so; without what helps it goes on."""
    for code, word in (('WebAssembly', 'WebAssembly'), ('Worker', 'workers'),
                       ('DecompressionStream', 'DecompressionStream')):
        script = page.before('delete globalThis.' + code)
        page.go(url)
        said = page.text('#needs') or ''
        check('without ' + word, 'has no %s,' % word in said
              and 'command line' in said
              and page.run('return document.getElementById("app").hidden'), said)
        page.not_before(script)
    script = page.before('delete globalThis.showDirectoryPicker;'
                         'delete Navigator.prototype.serviceWorker')
    page.go(url)
    page.add(DATA / SAMPLES[0])
    check('without folders', page.run(
        'return document.getElementById("folder").hidden')
        and page.do('repair'), page.notes())
    page.not_before(script)
    page.clear()


def check_offline(page, server):
    """With no server the page is still there."""
    page.go(server.url)
    check('kept', page.wait('document.getElementById("offline").textContent',
                            patience=10))
    server.close()
    page.go(server.url)
    page.add(DATA / SAMPLES[0])
    check('offline', page.text('.state') == 'damaged', page.notes())
    page.clear()


def check_file(page, scratch):
    """As a file."""
    page.go('file://%s' % ALONE)
    page.add(DATA / SAMPLES[0])
    native(scratch, 'repair', '-q', '-f', '-o', 'file.bddf', DATA / SAMPLES[0])
    same('as a file', page.do('repair'), scratch / 'file.bddf')
    said = page.complaints()
    check('as a file: no complaint', not said, said)
    page.clear()


def check_changed(page, scratch):
    """A file that changes after it was chosen: no verdict, and nothing written."""
    log = scratch / 'changes.bddf'
    shutil.copyfile(DATA / SAMPLES[0], log)
    page.add(log)
    with log.open('ab') as out:
        out.write(b'more')
    check('a file that changes', page.do('repair') is None
          and 'cannot read the file: it was changed' in page.notes()
          and page.has('repair'), page.notes())
    page.clear()


def check_large(page, scratch):
    """A log of 2 GB."""
    log = scratch / 'large.bddf'
    shutil.copyfile(DATA / SAMPLES[0], log)
    os.truncate(log, 2 << 30)
    page.add(log, patience=900)
    native(scratch, 'repair', '-q', log)
    same('2 GB', page.do('repair', patience=900),
         scratch / 'large.repaired.bddf')
    page.clear()


def main():
    """All of it, in one window."""
    if not browser.is_there():
        sys.exit('check_web: needs chromium and chromium-driver')
    check_policy(ALONE, 'worker-src blob:')
    check_policy(DIST / 'web/index.html', "worker-src blob: 'self'")
    server = Server(DIST / 'web')
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder) / 'scratch'
        scratch.mkdir()
        network = scratch / 'network.json'
        with Page(folder, '--log-net-log=%s' % network) as page:
            page.go(server.url)
            check_people(page)
            check_drop(page, scratch)
            check_refused(page)
            check_cancel(page, scratch)
            check_folder(page, scratch)
            check_changed(page, scratch)
            check_logs(page, scratch)
            check_report_page(page, server.url, scratch)
            check_long(page, server.url, scratch)
            said = page.complaints()
            check('no complaint', not said, said)
            check_policy_works(page, server)
            check_missing(page, server.url)
            check_file(page, scratch)
            if LONG:
                check_large(page, scratch)
            check_offline(page, server)
            page.go('data:text/html,<p>')
            page.run_long('await fetch(given[0]).catch(() => 0)', CONTROL)
        check_requests(network, server)
    end()


if __name__ == '__main__':
    main()
