#!/usr/bin/python3
"""Does the page of one log work in a real browser?

Chromium, without a window, opens pages that `--html` made:

- a repaired log: the map has its ranges, zooms, steps and tells of places by
  pointer, wheel and keys; findings lead to the map; channels have their counts
- what is not what it was: which bytes, with links to the map
- what was lost, in the words of the format
- in light and in dark, on paper, and on a phone
- everything that can be used has a name for those who do not see it

On no page may the browser complain, of a script or against the policy.

Environment: see tests/support/page_trial.py.
"""
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / 'support'))
from page_trial import (  # noqa: E402
    TOP, calm, check, check_names, check_source, damaged, looks, objects,
    picture, run, salvor, wait)


def one_log(page):
    """The page of a repair."""
    damaged()
    report = objects('repair', '--json', '--html=one.html', '--timeline',
                     'patrol.bddf')[0]
    check_source('one.html', 1)
    page.open(os.path.abspath('one.html'))
    check('one: title', page.text('h1') == 'patrol.bddf', page.text('h1'))
    check('one: state', page.text('.verdict .state') == report['state'])
    ranges = page.run("return document.querySelectorAll('.strip rect').length")
    check('one: ranges', ranges == len(report['ranges']), ranges)
    lost = [r for r in report['ranges'] if r['fate'] == 'lost']
    check('one: holes', len(lost) >= 3, report['ranges'])
    widths = page.run("return [...document.querySelectorAll('.strip .f-lost')]"
                      ".map(r => r.getBoundingClientRect().width)")
    check('one: holes can be seen', len(widths) == len(lost)
          and min(widths) >= 2, widths)
    check('one: findings', page.run(
        "return document.querySelectorAll('#problems tbody tr').length")
        == len(report['problems']))
    check('one: gaps', page.run(
        "return document.querySelectorAll('#lost tbody tr').length")
        == len(report['gaps']))
    check('one: output', report['output']['sha1'] in page.text('#proof'))
    check('one: before and after',
          page.run("return document.querySelectorAll('.plan .flow').length")
          == sum(p['kind'] == 'copy' for p in report['plan']))
    by_keys(page, report, lost)
    by_pointer(page)
    over_time(page, report)
    check_names(page, 'one')
    picture(page, 'one-light')
    calm(page, 'one')


def by_keys(page, report, lost):
    """Steps and zooms of the map."""
    def axis():
        return page.text('#map-box .axis')

    def told():
        return page.text('#map-readout')

    first = '{:,}'.format(lost[0]['offset'])
    check('map: the worst first', first in told(), told())
    whole = axis()
    page.type('#map-box', '+')
    check('map: + zooms in', axis() != whole, axis())
    page.type('#map-box', '-')
    check('map: - zooms out', axis() == whole, axis())
    page.type('#map-box', '+')
    page.type('#map-box', '0')
    check('map: 0 shows all', axis() == whole, axis())
    page.type('#map-box', 'Home')
    check('map: Home', ' kept 0 – ' in told(), told())
    page.type('#map-box', 'Right')
    check('map: a step right', first in told(), told())
    check('map: a time', re.search(r'\d\d:\d\d:\d\d\.\d{3}', told()), told())
    page.type('#map-box', 'Left')
    check('map: a step left', ' kept 0 – ' in told(), told())
    page.type('#map-box', 'Home')
    parts = [c['name'] for c in report['channels']]
    check('map: a channel', any(n in told() for n in parts), told())
    page.type('#map-box', 'End')
    end_of = '{:,}'.format(report['size'])
    check('map: End', end_of in told(), told())
    page.run("[...document.querySelectorAll('.legend .fate')].find(b =>"
             " b.textContent.includes('lost')).click()")
    check('map: the legend leads to the next', 'lost' in told(), told())
    page.type('#map-box', '0')
    last = report['problems'][-2]
    page.run("[...document.querySelectorAll('#problems .link')].at(-2)"
             ".click()")
    check('map: a finding leads to it', axis() != whole
          and page.run("return document.activeElement.id") == 'map-box',
          (axis(), last))
    page.type('#map-box', '0')


def by_pointer(page):
    """Hover, wheel and the buttons."""
    hover = ("const s = document.querySelector('.strip'),"
             " b = s.getBoundingClientRect(); s.dispatchEvent(new "
             "arguments[1](arguments[2], {bubbles: true, cancelable: true,"
             " clientX: b.left + b.width * arguments[0], clientY: b.top + 30,"
             " deltaY: -200}))")
    hover = hover.replace('arguments[1]', 'globalThis[arguments[1]]')
    page.run(hover, 0.02, 'PointerEvent', 'pointermove')
    here = page.text('#map-readout')
    page.run(hover, 0.1, 'PointerEvent', 'pointermove')
    check('map: hover', ' at ' in here and here != page.text('#map-readout'),
          here)
    whole = page.text('#map-box .axis')
    page.run(hover, 0.5, 'WheelEvent', 'wheel')
    zoomed = page.text('#map-box .axis')
    check('map: the wheel zooms', zoomed != whole, zoomed)
    page.click('.keys button:nth-child(3)')
    check('map: a button shows all', page.text('#map-box .axis') == whole)
    page.click('.keys button:nth-child(2)')
    check('map: a button zooms', page.text('#map-box .axis') != whole)
    page.type('#map-box', '0')


def over_time(page, report):
    """The channels."""
    rows = page.run("return [...document.querySelectorAll('#times tbody tr')]"
                    ".map(r => [r.cells[0].textContent,"
                    " r.cells[1].textContent])")
    check('times: channels', len(rows) == len(report['channels']), rows)
    for row, channel in zip(rows, report['channels']):
        check('times: a channel', row[0].startswith(channel['name'])
              and row[1] == '{:,}'.format(channel['messages']), row)
    check('times: rates are drawn', page.run(
        "return document.querySelectorAll('#times path.rate').length")
        == len(report['timeline']['channels']))
    check('times: gaps are drawn', page.run(
        "return document.querySelectorAll('#times .gap').length") > 0)
    page.type('#times-box', 'Right')
    first = page.text('#time-readout')
    page.type('#times-box', 'Down')
    check('times: keys', 'UTC' in first
          and page.text('#time-readout') != first, first)


def changed(page):
    """A log that has changed by itself: where."""
    log = 'rot.bag'
    shutil.copy(TOP / 'testdata/rosbag/good-tiny.bag', log)
    was = os.stat(log)
    salvor('verify', '-qq', '--journal=was', '--digests', log)
    with open(log, 'r+b') as f:
        f.seek(4500)
        f.write(b'!')
    os.utime(log, ns=(was.st_atime_ns, was.st_mtime_ns))
    salvor('verify', '-qq', '--baseline=was', '--html=rot.html', log)
    page.open(os.path.abspath('rot.html'))
    check('changed: it is told', wait(
        page, "document.querySelector('#baseline .bad')"
        "?.textContent.includes('bytes 0-10,887 are not what they were')"),
        page.text('body')[:300])
    page.click('#baseline tbody .link')
    check('changed: and where', page.run(
        "return document.activeElement.id") == 'map-box')
    check_names(page, 'changed')
    calm(page, 'changed')


def units(page):
    """What was lost, in the words of a format whose blocks are of no channel."""
    log = TOP / 'testdata' / 'carla' / 'bad-hole.log'
    objects('verify', '--json', '--html=frames.html', str(log))
    page.open(os.path.abspath('frames.html'))
    check('frames: lost', '1 frame' in page.text('#lost tbody')
          and ' of ' not in page.text('#lost tbody'),
          page.text('#lost tbody'))
    calm(page, 'frames')


def look(page):
    """As it looks."""
    looks(page, 'one')


def phone(page):
    """On a phone, 390 points wide: nothing but tables is wider, and those
    scroll in a frame of their own."""
    logs = [str(TOP / 'testdata' / name) for name in (
        'bddf/bad-hole.bddf', 'rosbag/bad-cut-between.bag',
        'cyber/bad-chunk-gone.record', 'carla/bad-hole.log')]
    salvor('verify', '-qq', '--html=many.html', *logs)
    page.devtools('Emulation.setDeviceMetricsOverride', width=390, height=844,
                  deviceScaleFactor=2, mobile=True)
    for name in 'one', 'many':
        page.open(os.path.abspath(name + '.html'))
        wide = page.run("return document.documentElement.scrollWidth")
        check('phone, %s: fits' % name, wide <= 390, wide)
        wide = page.run(
            "return [...document.querySelectorAll('h1, h2, p, dd, button, "
            "input, select, .bar')].filter(e => e.offsetParent && "
            "!e.closest('.view, .scroll, table, .unseen') && "
            "!e.matches('.skip, .unseen') && "
            "e.getBoundingClientRect().right > 391)"
            ".map(e => e.outerHTML.slice(0, 100))")
        check('phone, %s: nothing is cut off' % name, not wide, wide)
        picture(page, name + '-phone')
    page.devtools('Emulation.clearDeviceMetricsOverride')
    calm(page, 'phone')


run(one_log, changed, units, look, phone)
