#!/usr/bin/python3
"""Does the page of many logs work in a real browser?

Chromium, without a window, opens pages that `--html` and `salvor report` made:

- many logs: totals, sorting, filtering, a row that opens its log, and back
- rules that logs break: a column, a filter, and which they are
- what is not what it was: a column, and a filter
- segments of recordings: what is wrong between them, with links to their logs
- 10,000 logs: opened in 2 seconds, filtered in 0.1
- names made of markup and script stay names, and show every character
- in light and in dark, and on paper
- everything that can be used has a name for those who do not see it

On no page may the browser complain, of a script or against the policy.

Environment: see tests/support/page_trial.py.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / 'support'))
from page_trial import (  # noqa: E402
    SALVOR, TOP, calm, check, check_names, check_source, damaged, looks, objects,
    picture, run, salvor, wait)

os.environ['COLUMNS'] = '999'  # lines as long as they are
MANY = 10000  # logs of the large page
WHOLE = 500  # logs, after which sound ones have their row alone
SEGMENTS = 5  # of each set of them
OPEN = 2000  # milliseconds to open it
FILTER = 100  # milliseconds to filter its table
TRIES = 5  # of which the best counts: other tests run beside this one
HOSTILE = ['</script><script>pwned()</script>', '<img src=x onerror=pwned()>',
           '<!--<script>', ']]><svg onload=pwned()>', '"onmouseover="pwned()',
           "';pwned();//", '\u2028pwned()\u2029', '&lt;b&gt;&amp;',
           '{{constructor.constructor("pwned()")()}}', '__proto__',
           'javascript:pwned()',
           '</script onload=', '</script/', '<!--<script ', '\u202egpj.exe',
           '<b>bold</b>', '#log-0']
# One of each kind: invisible, changing the order of others, ending a line.
UNSEEN = ['\x07', '\x1b[31m', '\x7f', '\x9b', '\xad', '\u200b', '\u200d', '\u202e',
          '\u2066', '\u2028', '\u3164', '\ufe0f', '\ufeff', '\U000e0041']
HOSTILE.append('log' + ''.join(c + 'x' for c in UNSEEN))


def many_logs(page):
    """The page of an archive."""
    logs = sorted(str(p) for folder in (
        'bddf', 'rosbag', 'cyber', 'carla')
                  for p in (TOP / 'testdata' / folder).iterdir()
                  if p.suffix in ('.bddf', '.bag', '.record', '.log'))
    reports = objects('verify', '-qq', '--json', '--timeline', '--effort=0',
                      '--report=many.json', *logs)
    salvor('report', 'many.json', '-o', 'many.html')
    whole = [n < WHOLE or r['state'] != 'intact' or r['problems_total'] > 0
             for n, r in enumerate(reports)]
    check('many: some have no text', not all(whole))
    check_source('many.html', sum(whole))
    page.open(os.path.abspath('many.html'))
    check('many: title', page.text('h1') == '%d logs' % len(logs))
    check('many: totals', '{:,}'.format(sum(r['problems_total']
          for r in reports)) in page.text('.totals'))
    sorts(page, reports)
    filters(page, reports)
    opens(page, reports)
    all_logs(page, whole)
    check_names(page, 'many')
    picture(page, 'many-light')
    calm(page, 'many')


def column(page, n):
    """What the cells in sight say."""
    return page.run("return [...document.querySelectorAll("
                    "'.view tbody tr[data-k]')].map(r =>"
                    " r.cells[arguments[0]].textContent)", n)


def sorts(page, reports):
    """By a press on the head of a column, and on it again."""
    def sorted_by():
        return page.run("return [...document.querySelectorAll('th[aria-sort]"
                        "')].map(h => [h.dataset.key,"
                        " h.getAttribute('aria-sort')])")

    check('sort: by state first', sorted_by() == [['state', 'ascending']],
          sorted_by())
    page.click('th[data-key=lost] button')
    check('sort: worst first', sorted_by() == [['lost', 'descending']],
          sorted_by())
    lost = sorted((r['bytes']['lost'] for r in reports), reverse=True)
    worst = next(r['file'] for r in reports if r['bytes']['lost'] == lost[0])
    check('sort: the worst log', column(page, 1)[0] == worst,
          (column(page, 1)[0], worst))
    page.click('th[data-key=lost] button')
    check('sort: the other way', sorted_by() == [['lost', 'ascending']]
          and column(page, 5)[0] == '', column(page, 5)[:3])
    page.click('th[data-key=file] button')
    names = column(page, 1)
    check('sort: by name', sorted_by() == [['file', 'ascending']]
          and names[0].endswith('bddf/' + sorted(
              os.path.basename(r['file']) for r in reports
              if r['format'] == 'bddf' or '/bddf/' in r['file'])[0]),
          names[:3])


def found(page):
    """How many logs the table has now."""
    text = page.text('.found')
    return int(text.split()[0].replace(',', '')) if text else None


def choose(page, what, value):
    """Something of a list of choices; False: there is no such thing."""
    return page.run(
        "const s = document.getElementById(arguments[0]);"
        "s.selectedIndex = [...s.options].findIndex(o => o.text ==="
        " arguments[1]); s.dispatchEvent(new Event('change'));"
        "return s.selectedIndex >= 0 && !s.hidden", what, value)


def filters(page, reports):
    """By name, state, format, robot and loss."""
    page.type('#search', 'cut')
    want = sum('cut' in r['file'] for r in reports)
    check('filter: by name', found(page) == want
          and all('cut' in n for n in column(page, 1)), (found(page), want))
    page.click('[data-state=damaged]')
    want = sum('cut' in r['file'] and r['state'] == 'damaged'
               for r in reports)
    check('filter: by state', found(page) == want
          and set(column(page, 0)) == {'damaged'}, (found(page), want))
    check('filter: pressed', page.run(
        "return document.querySelector('[data-state=damaged]')"
        ".getAttribute('aria-pressed')") == 'true')
    page.click('[data-state=damaged]')
    page.run("const s = document.getElementById('search'); s.value = '';"
             "s.dispatchEvent(new Event('input'))")
    check('filter: none', found(page) is None, found(page))
    robot = next(a['value'] for r in reports for a in r['annotations']
                 if 'robot' in a['key'])
    for what, value, want in (
            ('format', 'rosbag', sum(r['format'] == 'rosbag'
                                     for r in reports)),
            ('robot', robot, sum(any(a['value'] == robot for a in
                                     r['annotations']) for r in reports)),
            ('loss', 'something lost', sum(r['bytes']['lost'] > 0
             or r['blocks']['lost'] > 0 for r in reports))):
        there = choose(page, what, value)
        check('filter: by ' + what, there and found(page) == want,
              (there, found(page), want))
        choose(page, what, 'any ' + what)
        check('filter: by none', found(page) is None, found(page))


def opens(page, reports):
    """A row opens its log, by pointer and by keys; and back."""
    page.click('th[data-key=lost] button')
    if page.run("return document.querySelector('th[data-key=lost]')"
                ".getAttribute('aria-sort')") == 'ascending':
        page.click('th[data-key=lost] button')
    name = column(page, 1)[2]
    page.click('.view tbody tr[data-k="2"] td:nth-child(5)')
    check('open: a row', wait(page, "document.querySelector('h1').textContent"
                              " === arguments[0]", name), name)
    check('open: its map', page.run(
        "return document.querySelectorAll('.strip rect').length > 0"))
    check('open: its title', name in page.call('GET', '/title'))
    page.run("document.querySelector('nav a:last-child').click()")
    check('open: the next', wait(page, "document.querySelector('h1')"
                                 ".textContent !== arguments[0]", name))
    page.run('history.back()')
    page.run('history.back()')
    check('open: back', wait(page, "document.querySelector('.view')"))
    check('open: as it was', column(page, 1)[2] == name, column(page, 1)[:3])
    page.run("document.querySelector('.view tbody a').focus()")
    page.type('.view tbody a', 'Down')
    check('open: a step down', page.run(
        "return document.activeElement.closest('tr').dataset.k") == '1')
    second = column(page, 1)[1]
    page.type('.view tbody tr[data-k="1"] a', 'Enter')
    check('open: by a key', wait(page, "document.querySelector('h1')"
                                 ".textContent === arguments[0]", second))
    check('open: all have been', len(reports) > 100)
    page.run("location.hash = ''")
    wait(page, "document.querySelector('.view')")


def all_logs(page, whole):
    """Every log can be looked at, with its report if that is there."""
    titles = page.run_long("""
        const titles = [];
        for (let i = 0; i < given[0]; i++) {
            const shown = new Promise(r => addEventListener('hashchange', r,
                { once: true }));
            location.hash = 'log-' + i;
            await shown;
            titles.push(document.querySelectorAll('h1, #proof, .raw').length
                + ' ' + document.querySelector('h1').textContent);
        }
        location.hash = '';
        return titles""", len(whole))
    check('all: as many', len(titles) == len(whole), titles)
    wrong = [t for t, there in zip(titles, whole)
             if not t.startswith('3 /' if there else '1 /')]
    check('all: shown', not wrong, wrong[:5])
    wait(page, "document.querySelector('.view')")
    calm(page, 'all')


def rules(page):
    """Rules that were given: which logs break which."""
    logs = [str(TOP / 'testdata' / name) for name in (
        'bddf/good-patrol.bddf', 'rosbag/good-drive-lz4.bag',
        'carla/good-0.9.15.log', 'bddf/bad-cut-descriptor.bddf')]
    check('rules: no column without', page.run(
        "return document.querySelector('th[data-key=policy],"
        " th[data-key=baseline], #sets')") is None)
    reports = objects('verify', '--json', '--html=rules.html',
                      '--max-gap=/sca*=40ms', '--max-lost=0', *logs)
    want = [r['policy'] for r in reports]
    check('rules: some break them', sorted(set(want)) == ['fail', 'pass'],
          want)
    page.open(os.path.abspath('rules.html'))
    check('rules: a column', sorted(column(page, 1)) == sorted(want),
          column(page, 1))
    check('rules: a filter', choose(page, 'policy', 'fail')
          and found(page) == want.count('fail'), found(page))
    for rule in 'max-gap=/sca*=40ms', 'max-lost=0':
        broken = sum(any(v['rule'] == rule for v in r['violations'])
                     for r in reports)
        check('rules: who breaks ' + rule, 0 < broken < want.count('fail')
              and choose(page, 'policy', 'breaks ' + rule)
              and found(page) == broken, (found(page), broken))
    check('rules: how many', page.text('.totals').endswith(
        'break the rules%d' % want.count('fail')), page.text('.totals'))
    i = next(i for i, r in enumerate(reports) if any(
        v['offset'] for v in r['violations']))
    page.run('location.hash = arguments[0]', 'log-%d' % i)
    check('rules: they are told', wait(
        page, "document.querySelector('#policy tbody tr')"
        "?.textContent.includes(arguments[0])",
        reports[i]['violations'][0]['text']), page.text('#policy'))
    page.click('#policy tbody .link')
    check('rules: and where', page.run(
        "return document.activeElement.id") == 'map-box')
    check_names(page, 'rules')
    picture(page, 'rules-light')
    calm(page, 'rules')


def changed(page):
    """A log that has changed by itself, among others."""
    logs = 'rot.bag', 'other.bag', 'new.bag'
    for log in logs:
        shutil.copy(TOP / 'testdata/rosbag/good-tiny.bag', log)
    was = os.stat(logs[0])
    salvor('verify', '-qq', '--journal=was', '--digests', *logs[:2])
    with open(logs[0], 'r+b') as f:
        f.seek(4500)
        f.write(b'!')
    os.utime(logs[0], ns=(was.st_atime_ns, was.st_mtime_ns))
    salvor('verify', '-qq', '--baseline=was', '--html=rot.html', *logs)
    page.open(os.path.abspath('rot.html'))
    check('changed: a column', dict(zip(column(page, 2), column(page, 1)))
          == dict(zip(logs, ('differs', 'same', 'unknown'))), column(page, 1))
    check('changed: how many', page.text('.totals').endswith(
        'not what they were1'), page.text('.totals'))
    check('changed: a filter', choose(page, 'baseline', 'differs')
          and column(page, 2) == [logs[0]], column(page, 2))
    check_names(page, 'changed')
    calm(page, 'changed')


def sets(page):
    """Segments of recordings."""
    for name, source, numbers in (
            ('drive_%s.bddf', 'bddf/good-patrol.bddf', '0134'),
            ('a.record.0000%s', 'cyber/good-lite.record', '0'),
            ('x_%s.bddf', 'bddf/good-patrol.bddf', '1')):
        for n in numbers:
            shutil.copy(TOP / 'testdata' / source, name % n)
    logs = ['drive_0.bddf', 'drive_1.bddf', 'drive_3.bddf', 'drive_4.bddf',
            'a.record.00000', 'x_1.bddf']
    salvor('verify', '-qq', '--set', '--report=sets.json', '--html=sets.html',
           *logs)
    salvor('report', 'sets.json', '-o', 'again.html')
    for name in 'sets', 'again':
        page.open(os.path.abspath(name + '.html'))
        check_source(name + '.html', len(logs))
        rows = page.run("return [...document.querySelectorAll('#sets tbody"
                        " tr')].map(r => [...r.cells].map(c =>"
                        " c.textContent))")
        check(name + ': the incomplete one first', [r[:2] for r in rows] == [
            ['damaged', 'drive_*.bddf'], ['intact', 'a.record.*'],
            ['intact', 'x_*.bddf']], rows)
        check(name + ': its segments', rows[0][3] == '012 missing34', rows[0])
        check(name + ': what is wrong', 'segment 2 is missing' in rows[0][4]
              and 'set.overlap' in rows[0][4], rows[0])
    check('sets: how many', page.text('.totals').endswith(
        'sets not complete1 of 3'), page.text('.totals'))
    page.run("document.querySelector('.totals .link').click()")
    check('sets: it leads to them', page.run(
        "return document.getElementById('sets').getBoundingClientRect().top"
        " < innerHeight - 40"))
    check_names(page, 'sets')
    picture(page, 'sets-light')
    page.click('#sets tbody .link')
    check('sets: a filter', found(page) == 4
          and set(column(page, 1)) == set(logs[:4]), column(page, 1))
    page.click('#set')
    check('sets: no filter', found(page) is None, found(page))
    page.click('#sets .segment:nth-of-type(3)')
    check('sets: a segment leads to its log', wait(
        page, "document.querySelector('h1').textContent === arguments[0]",
        'drive_3.bddf'), page.text('h1'))
    salvor('verify', '-qq', '--set', '--html=lone.html', 'drive_1.bddf')
    page.open(os.path.abspath('lone.html'))
    check('sets: of one log', page.text('#sets tbody td') == 'intact',
          page.text('main'))
    calm(page, 'sets')


def large(page):
    """10,000 logs stay usable."""
    reports = [json.loads(line) for line in
               pathlib.Path('many.json').read_text().splitlines()]
    reports = [dict(r, timeline=None) for r in reports if r['type'] == 'file']
    with open('large.json', 'w', encoding='ascii') as out:
        for i in range(MANY):
            report = reports[i % len(reports)]
            path = 'archive/%02d/robot-%03d/run-%05d.log' % (
                i % 12, i % 40, i)
            json.dump({'journal': 1, 'path': path, 'result':
                       {'state': report['state'], 'exit': 4},
                       'report': dict(report, file=path)}, out)
            out.write('\n')
        for i in range(0, MANY, SEGMENTS):
            json.dump({'type': 'set', 'set': 'run-%d*' % i, 'files': [
                {'number': k, 'file': 'archive/%02d/robot-%03d/run-%05d.log'
                 % (k % 12, k % 40, k)} for k in range(i, i + SEGMENTS)],
                'state': 'intact', 'problems_total': 0, 'problems': []}, out)
            out.write('\n')
    salvor('report', 'large.json', '-o', 'large.html')
    best = best_filter = 1e9
    for _ in range(TRIES):
        page.open(os.path.abspath('large.html'))
        took = page.run(
            "const t = performance.getEntriesByType('navigation')[0];"
            "return [t.loadEventEnd, document.querySelectorAll("
            "'.view tbody tr[data-k]').length]")
        check('large: rows', 10 < took[1] < 200, took)
        best = min(best, took[0])
        for text in 'run-0', 'robot-01', 'run-09', 'no such', '':
            best_filter = min(best_filter, max(page.run(
                "const s = document.getElementById('search'), out = [];"
                "for (const v of [arguments[0], arguments[0] + '7']) {"
                "const t = performance.now(); s.value = v;"
                "s.dispatchEvent(new Event('input'));"
                "document.body.getBoundingClientRect();"
                "out.push(performance.now() - t) } return out", text)))
        if best < OPEN and best_filter < FILTER:
            break
    print('%d logs: opened in %d ms, filtered in %.1f ms'
          % (MANY, best, best_filter))
    check('large: opens soon', best < OPEN, best)
    check('large: filters at once', best_filter < FILTER, best_filter)
    sound = next(i for i in range(MANY // 2, MANY)
                 if reports[i % len(reports)]['state'] == 'intact'
                 and not reports[i % len(reports)]['problems_total'])
    page.run('location.hash = arguments[0]', 'log-%d' % sound)
    check('large: a sound log has what its row says', wait(
        page, "document.querySelector('h1').textContent.endsWith(arguments[0])"
        " && /leaves out/.test(document.querySelector('.advice').textContent)",
        'run-%05d.log' % sound), page.text('main'))
    page.run("location.hash = ''")
    wait(page, "document.querySelector('.view')")
    page.run("const s = document.getElementById('search'); s.value = '';"
             "s.dispatchEvent(new Event('input'));"
             "document.querySelector('.view').scrollTop = 1e9")
    check('large: the last row', wait(
        page, "[...document.querySelectorAll('.view tbody tr[data-k]')].at(-1)"
        "?.dataset.k === arguments[0]", str(MANY - 1)))
    calm(page, 'large')


def visible(text):
    """A text as a terminal has it: salvor shows that of a file's name."""
    done = subprocess.run([SALVOR, 'verify', 'no/' + text],
                          capture_output=True, check=False)
    return re.match('no/(.*): FAILED', done.stderr.decode(), re.S)[1]


def unseen(page):
    """What people read and cannot see: every text, and attributes."""
    return page.run("""
        const bad = /[\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]|"""
                    """(?!\\n)\\p{Cc}/u, found = [];
        for (const node of document.querySelectorAll('header *, main, main *,'
            + ' #live')) {
            const own = [...node.childNodes].filter(n => n.nodeType === 3)
                .map(n => n.nodeValue);
            for (const name of ['title', 'aria-label', 'placeholder'])
                own.push(node.getAttribute(name) ?? '');
            if (own.some(t => bad.test(t)))
                found.push(node.outerHTML.slice(0, 100));
        }
        return bad.test(document.title) ? [...found, document.title] : found;
        """)


def hostile(page):
    """Names of markup and script."""
    damaged()
    report = objects('verify', '--json', '--timeline', 'patrol.bddf')[0]
    with open('hostile.json', 'w', encoding='ascii') as out:
        for text in HOSTILE:
            bad = json.loads(json.dumps(report))
            bad['file'] = text
            bad['state'] = text
            bad['advice'] = text
            bad['error'] = {'code': text, 'errno': None, 'text': text}
            bad['format'] = bad['version'] = bad['dialect'] = text
            bad['annotations'] = [{'key': 'robot' + text, 'value': text}]
            for channel in bad['channels']:
                channel['name'] = channel['type'] = text
            for problem in bad['problems']:
                problem.update(id=text, text=text, severity=text, remedy=text)
            bad['policy'] = 'fail' if len(text) % 2 else text
            bad['baseline'] = {'state': 'differs', 'text': text, 'id': text,
                               'since': text, 'ranges': [
                                   {'offset': text, 'length': text}]}
            bad['violations'] = [{'id': text, 'channel': text, 'rule': text,
                                  'text': text, 'times': text, 'from': text,
                                  'offset': 3, 'to': text}]
            for gap in bad['gaps']:
                gap['before'] = gap['from'] = text
                for channel in gap['channels']:
                    channel['name'] = text
            bad['ranges'][1]['fate'] = text
            bad['output'] = {'path': text, 'outcome': text, 'sha1': text}
            out.write(json.dumps({
                'type': 'set', 'set': text, 'format': text, 'state': text,
                'files': [{'number': text, 'file': text}, text],
                'problems_total': 1, 'problems': [text, {
                    'id': text, 'text': text, 'after': text, 'before': text,
                    'severity': text}]}) + '\n')
            out.write(json.dumps(bad) + '\n')
            out.write(json.dumps({'journal': 1, 'path': text, 'result':
                                  {'state': text}, 'report': None}) + '\n')
    salvor('report', 'hostile.json', '-o', 'hostile.html')
    check_source('hostile.html', 2 * len(HOSTILE))
    page.open(os.path.abspath('hostile.html'))
    page.run("globalThis.pwned = () => { globalThis.harmed = true }")
    check('hostile: all rows', len(column(page, 3)) == 2 * len(HOSTILE))
    shown = [visible(text) for text in HOSTILE]
    check('hostile: names', set(column(page, 3)) == set(shown),
          set(column(page, 3)) ^ set(shown))
    check('hostile: all is visible', not unseen(page), unseen(page))
    check('hostile: sets', page.run(
        "return [...document.querySelectorAll('#sets tbody .link')].map(b =>"
        " b.textContent)") == shown)
    choose(page, 'robot', shown[-1])
    check('hostile: is chosen', column(page, 3) == [shown[-1]],
          column(page, 3))
    choose(page, 'robot', 'any robot')
    for i in range(2 * len(HOSTILE)):
        page.run('location.hash = arguments[0]', 'log-%d' % i)
        good = wait(page, "document.querySelector('h1').textContent ==="
                    " arguments[0]", shown[i // 2])
        check('hostile: log %d' % i, good, page.text('h1'))
        page.run("document.querySelector('.raw').open = true")
        wait(page, "document.querySelector('.raw pre').firstChild")
        check('hostile: log %d is visible' % i, not unseen(page), unseen(page))
        check('hostile: log %d as JSON' % i, page.run(
            "return JSON.parse(document.querySelector('.raw pre')"
            ".textContent).file") == HOSTILE[i // 2])
    check('hostile: nothing ran', not page.run('return globalThis.harmed'))
    check('hostile: nothing was made', page.run(
        "return document.querySelectorAll('main img, main iframe, main b b,"
        " main script, [onload], [onerror], [onmouseover], a:not([href^=\"#\"]"
        ")').length") == 0)
    calm(page, 'hostile')


def look(page):
    """As it looks."""
    check('many: prints every row', looks(page, 'many') > 3)


run(many_logs, rules, changed, sets, large, hostile, look)
