#!/usr/bin/python3
"""JUnit's XML of an audit: it can be read whatever the names hold, and says
what the reports say.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import xml.etree.ElementTree

from support.start import SALVOR, TOP, parts

with parts():
    import bag_writer
    from tally import check, end

DATA = TOP / 'testdata'
MANY = 400  # files of the run that is interrupted

HOSTILE = [b'plain', b'<b>&"\'', b']]>', b'new\nline\ttab\r', b'\x01\x1b[2J',
           b'\xff\xfe\x80', '\ufffe\uffff\u2028\u202e'.encode(), b'\x7f',
           '\U0001f916 \u00e9'.encode(), b'<!--', b'&#0;', b'<?x', b'\x0b\x0c']


def run(*args):
    """Run it."""
    return subprocess.run([SALVOR, *args], stdin=subprocess.DEVNULL,
                          capture_output=True, check=False)


def read(name):
    """The cases of a file, whose sums are right: (suite, [case])."""
    root = xml.etree.ElementTree.parse(name).getroot()
    suite = root.find('testsuite')
    cases = suite.findall('testcase')
    want = {'tests': len(cases), 'skipped': 0,
            'failures': sum(c.find('failure') is not None for c in cases),
            'errors': sum(c.find('error') is not None for c in cases)}
    for of in root, suite:
        got = {key: int(of.get(key)) for key in want}
        check(name + ': sums', got == want, (got, want))
        took = sum(float(c.get('time', 0)) for c in cases)
        check(name + ': time', abs(float(of.get('time')) - took)
              < 0.001 * len(cases) + 0.001, of.get('time'))
    check(name + ': names', all(c.get('name') and c.get('classname')
                                .startswith('salvor.') for c in cases))
    return cases


def outcome(case):
    """'failure', 'error' or None, and its type."""
    for kind in 'failure', 'error':
        if case.find(kind) is not None:
            return kind, case.find(kind).get('type')
    return None, None


def expected(report):
    """The same, of a report."""
    if report['type'] == 'error' or report['error']:
        return 'error', (report.get('error') or report)['code']
    if report['state'] not in ('intact', 'indexed'):
        return 'failure', report['state']
    return ('failure', 'policy') if report.get('policy') == 'fail' else (
        None, None)


def corpus():
    """All of testdata, one by one and as a batch."""
    logs = sorted(str(p) for folder in ('bddf', 'rosbag', 'carla', 'cyber')
                  for p in (DATA / folder).iterdir())
    done = run('verify', '-qq', '--json', '--effort=0', '--junit=one.xml',
               '--max-gap=100ms', '--max-lost=0', *logs, 'nowhere')
    reports = [json.loads(line) for line in done.stdout.splitlines()][:-1]
    cases = read('one.xml')
    check('a case for each', [c.get('name') for c in cases]
          == [r['file'] for r in reports], len(cases))
    wrong = [(c.get('name'), outcome(c)) for c, r in zip(cases, reports)
             if outcome(c) != expected(r)]
    check('each as its report', not wrong, wrong[:3])
    kinds = {outcome(c) for c in cases}
    check('all kinds', {(None, None), ('failure', 'damaged'),
                        ('failure', 'policy'), ('error', 'io')} <= kinds,
          kinds)
    for case, report in zip(cases, reports):
        text = case.findtext('failure') or ''
        ids = [p['id'] for p in report.get('problems', [])
               + report.get('violations', [])][:100]
        if not all('[%s]' % i in text for i in ids) and outcome(case)[0]:
            check('findings of ' + case.get('name'), False, text)
    done = run('verify', '-r', '-j2', '-qq', '--effort=0', '--json',
               '--junit=many.xml', '--journal=j', str(DATA / 'bddf'))
    told = json.loads(done.stdout.splitlines()[-1])
    cases = read('many.xml')
    check('a batch', len(cases) == told['done'] == told['files'], told)
    run('verify', '-r', '-j2', '-qq', '--effort=0', '--junit=again.xml',
        '--journal=j', str(DATA / 'bddf'))
    check('what was done before', [(c.get('name'), outcome(c)) for c in
                                   read('again.xml')]
          == [(c.get('name'), outcome(c)) for c in cases])


def hostile():
    """Names of files and of channels."""
    os.mkdir('in')
    about = [bag_writer.Connection(0, '</failure>]]>', 'std_msgs/Empty', '')]
    data = bag_writer.write(about, [bag_writer.Message(
        0, 1700000000 + k, 0, b'') for k in range(3)])
    for name in HOSTILE:
        with open(b'in/' + name, 'wb') as f:
            f.write(data)
    # A rule that names what it likes is told as well.
    done = run(b'verify', b'-r', b'-qq', b'--json', b'--junit=hostile.xml',
               b'--max-gap=10ms', *(b'--require=' + n for n in HOSTILE), b'in')
    cases = read('hostile.xml')
    told = [json.loads(line) for line in done.stdout.splitlines()]
    check('hostile: all are there', len(cases) == len(HOSTILE)
          == told[-1]['done'], len(cases))
    names = [c.get('name') for c in cases]
    check('hostile: each name is another', len(set(names)) == len(HOSTILE),
          names)
    check('hostile: as it is, where XML can', all(
        'in/' + n.decode() in names for n in (b'plain', b'<b>&"\'', b']]>',
                                              b'&#0;', HOSTILE[8])), names)
    check('hostile: as escaped, where not', {
        r'in/new\x0Aline\x09tab\x0D', r'in/\x01\x1B[2J', r'in/\xFF\xFE\x80',
        r'in/\xEF\xBF\xBE\xEF\xBF\xBF\xE2\x80\xA8\xE2\x80\xAE'}
        <= set(names), names)
    check('hostile: the channel', all('</failure>]]>: no message' in
                                      c.findtext('failure') for c in cases))


def places():
    """What it replaces, and what it does not."""
    log = str(DATA / 'bddf' / 'good-patrol.bddf')
    pathlib.Path('mine').write_text('<testsuite/>')
    done = run('verify', '--junit=mine', log)
    check('not a file of somebody else', done.returncode == 8
          and pathlib.Path('mine').read_text() == '<testsuite/>', done.stderr)
    done = run('verify', '-r', '--junit=mine', log)
    check('nor in a batch', done.returncode == 8
          and pathlib.Path('mine').read_text() == '<testsuite/>', done.stderr)
    for _ in range(2):
        done = run('verify', '--junit=yours', log)
        check('an earlier one', done.returncode == 0
              and len(read('yours')) == 1, done.stderr)
    done = run('verify', '--junit=no/where', log)
    check('a folder that is not there', done.returncode == 8, done.stderr)


def stopped():
    """A signal in the middle."""
    os.mkdir('long')
    for i in range(MANY):
        shutil.copy(DATA / 'bddf' / 'bad-cut-descriptor.bddf',
                    'long/%04d.bddf' % i)
    process = subprocess.Popen(
        [SALVOR, 'verify', '-r', '-j2', '--json', '--junit=stopped.xml',
         'long'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL, bufsize=0)
    # It has begun, and stands still until its output is read.
    process.stdout.read(1000)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    cases = read('stopped.xml')
    last = cases[-1]
    check('stopped: the file is there', 1 <= len(cases) <= MANY, len(cases))
    check('stopped: and says so', outcome(last) == ('error', 'stopped')
          and '%d of %d files' % (len(cases) - 1, MANY)
          in last.find('error').get('message'), last.find('error').attrib)
    process = subprocess.Popen(
        [SALVOR, 'verify', '-r', '-j2', '--json', '--junit=killed.xml',
         'long'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL, bufsize=0)
    process.stdout.read(1000)
    process.kill()
    process.communicate(timeout=60)
    check('killed: no half of it', not os.path.exists('killed.xml'))


for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
    signal.signal(number, signal.SIG_DFL)
with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    for test in corpus, hostile, places, stopped:
        test()
    os.chdir(TOP)
end()
