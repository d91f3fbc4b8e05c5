#!/usr/bin/python3
"""Hundreds of hostile files: what do they do to a terminal, to a reader of JSON, and
to the file system?

- nothing that is printed holds a control character but the newline, none that
  turns text around, and no line that a file wrote
- every line of JSON is one object that fits the schema
- the files are as they were, and beside them is what the reports name and
  nothing else
- nothing crashes, hangs or takes more memory than it should, every exit code
  is one of the contract, and what repair writes is sound

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped, SALVOR_LONG for more than a thousand files.
"""
import base64
import hashlib
import itertools
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from support.start import SALVOR, TOP, parts

with parts():
    import bag_hostile
    import drive_hostile
    import hostile
    import mcap_hostile
    import ulog_hostile
    from built import sanitized
    from sample import LONG
    from schema import fault_of
    from tally import check, end

PATIENCE = 120  # seconds of work for a run; a sanitizer's take a few
HANGS = 1800  # seconds for it on a machine that has much else to do
MEMORY = 1 << 20  # KiB that a run may take, a sanitizer's included
BOMB = 20  # seconds of work for three runs on a chunk that grows
SWOLLEN = 400 << 10  # KiB for small files, whatever they decompress to
LINE = 160 << 10  # KiB that a line of a journal may take
STOPPED = 32  # exit code of a limit
AFTER = 0.7  # seconds of work after a signal, a sanitizer's included
PEAK = """import resource, subprocess, sys
resource.setrlimit(resource.RLIMIT_CPU, (40, 40))
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"""
BDDF, BAGS, OTHERS = (module.COUNT // (1 if LONG else 5)
                      for module in (hostile, bag_hostile, drive_hostile))
EVERY = 7  # of the files, one in so many is listed
ENDS = 1  # items of a list that are held against the schema, at each end
KNOWN = {0, 1, 3, 4, 8, 32}  # exit codes, of which one is the sum
USAGE = 16  # and the one of a name that looks like an option

# Controls of ASCII but the newline, of Unicode, separators of lines, what
# turns text around, what is not seen.
BAD = re.compile('[\0-\t\v-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e'
                 '\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]')
FORGED = re.compile(r'^\s*' + hostile.FORGED.decode(), re.M)


def check_shown(what, raw):
    """May a terminal see this?"""
    try:
        shown = raw.decode()
    except UnicodeDecodeError as error:
        check(what + ': is UTF-8', False, raw[max(error.start - 99, 0):][:200])
        return
    for wrong in BAD, FORGED:
        found = wrong.search(shown)
        check(what, found is None,
              found and shown[max(found.start() - 200, 0):found.end() + 40])


def limit_work():
    """Let the kernel end what works for too long."""
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))


def peak(*arguments):
    """KiB that salvor takes at most, started by a process that takes little: what
    that takes counts, too."""
    return int(subprocess.run(
        [sys.executable, '-c', PEAK, SALVOR, *arguments], check=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)


def run_all(*arguments):
    """Run salvor; returns its exit code, standard output and error."""
    what = ' '.join(a for a in arguments[:6] if isinstance(a, str))
    try:
        done = subprocess.run([SALVOR, *arguments], timeout=HANGS,
                              preexec_fn=limit_work,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              check=False)
    except subprocess.TimeoutExpired:
        check(what + ': ends', False, arguments)
        return 0, b'', b''
    known = {a | b | c for a in KNOWN for b in KNOWN for c in KNOWN}
    check(what + ': code', done.returncode in known or (
        done.returncode == USAGE and arguments[0][:1] == b'-'),
          (done.returncode, done.stderr[-300:]))
    check(what + ': crash', b'Sanitizer' not in done.stderr
          and b'runtime error' not in done.stderr, done.stderr[-500:])
    check_shown(what, done.stderr)
    check_shown(what, done.stdout)
    return done.returncode, done.stdout, done.stderr


def run(*arguments):
    """Run salvor; returns its exit code and the lines that it printed."""
    code, out, _ = run_all(*arguments)
    return code, out.decode(errors='replace').splitlines()


def objects(*arguments):
    """Run salvor --json; the objects that it printed."""
    out = []
    for line in run(*arguments)[1]:
        found, fault = fault_of(line, ENDS)
        check(' '.join(map(str, arguments[:3])), fault is None, fault)
        out += [found] if found else []
    return out


def path_of(record, key):
    """A path in a record, as it is."""
    if key + '_base64' in record:
        return base64.b64decode(record[key + '_base64'])
    return os.fsencode(record[key])


def tree():
    """Everything there is: {path: what is in it}."""
    out = {}
    for folder, _, names in os.walk(b'.'):
        for called in names:
            path = os.path.join(folder, called)
            with open(path, 'rb') as there:
                out[path] = hashlib.sha1(there.read()).digest()
    return out


def outputs(records):
    """The files that the reports name as written."""
    named = set()
    for record in records:
        made = record.get('output')
        if made and made['outcome'] in ('written', 'already'):
            named.add(path_of(made, 'path'))
            if made['sidecar']:
                named.add(path_of(made, 'sidecar'))
    return named


def describe(files, before):
    """What reads, writes nothing."""
    run('--effort=0', *files)
    # With --json the text goes to standard error.
    for command in (['verify', '-v', '--effort=0'],
                    ['verify', '--quick', '--effort=0'], ['info'],
                    ['info', '--scan'], ['repair', '-n', '--effort=0'],
                    ['repair', '-n', '--effort=0', '--annotate']):
        named = [path_of(r, 'file')
                 for r in objects(*command, '--json', *files)
                 if r['type'] == 'file']
        check('an object for each file', named == files, len(named))
    for file in files[::EVERY]:
        run('list', file)
        types = [o['type'] for o in objects('list', '--json', file)]
        check('the end of a list', types[-1:] == ['summary'], file)
    check('nothing was written', tree() == before)


def check_outputs(what, records, before):
    """What was written is what the reports name, and is sound."""
    now = tree()
    named = {os.path.join(b'.', os.path.normpath(p))
             for p in outputs(records)}
    check(what + ': the inputs stay',
          all(now.get(path) == was for path, was in before.items()))
    check(what + ': nothing else is there', set(now) - set(before) == named,
          sorted(set(now) - set(before) ^ named))
    logs = sorted(p for p in named if not p.endswith(b'.salvor.json'))
    check(what + ': something was written', len(logs) > BDDF // 4, len(logs))
    for path in sorted(named.difference(logs)):
        with open(path, encoding='ascii') as there:
            for line in there.read().splitlines():
                check('a sidecar', fault_of(line, ENDS)[1] is None, line)
    for record in objects('verify', '--json', *logs):
        check('an output is sound',
              record.get('state', 'intact') == 'intact', record)
    return logs


def write(files, before):
    """What writes, into a folder and beside the files."""
    os.mkdir('text')
    os.mkdir('json')
    run('repair', '--effort=0', '-d', 'text', *files)
    records = objects('repair', '--effort=0', '-d', 'json', '--json', *files)
    for record in records:
        error = record.get('error')
        check('only long names fail', not error or error['code'] == 'io'
              and 'name too long' in error['text'].lower(), error)
    by_text = {k[7:]: v for k, v in tree().items() if k[:7] == b'./text/'}
    by_json = {k[7:]: v for k, v in tree().items() if k[:7] == b'./json/'}
    logs = {k: v for k, v in by_text.items() if k[-12:] != b'.salvor.json'}
    check('text and JSON write the same', set(by_text) == set(by_json)
          and all(by_json[k] == v for k, v in logs.items()))
    for path in by_text:
        os.unlink(b'text/' + path)
    check_outputs('-d', records, before)
    for path in by_json:
        os.unlink(b'json/' + path)
    records = objects('repair', '--effort=0', '--json', *files)
    logs = check_outputs('beside', records, before)
    again = objects('repair', '--json', *logs)
    check('nothing is left to repair',
          {r['state'] for r in again if r['type'] == 'file'} == {'intact'})


def bombs():
    """What decompresses to gigabytes takes neither them nor hours, and nor does a
    description of values without bytes."""
    judged = ('verify', '-q'), ('repair', '-n', '-q'), ('info',)
    exported = (('export', '-n', '-q', '-o', 'o.ndjson'),
                ('export', '-n', '-q', '--to=csv', '-o', 'o'))
    for what, raw, commands in itertools.chain(
            ((*one, judged) for one in itertools.chain(bag_hostile.bombs(),
                                                       mcap_hostile.bombs())),
            [('of padding', ulog_hostile.padding(2000), exported)]):
        with open('bomb', 'wb') as out:
            out.write(raw)
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        for command in commands:
            run(*command, 'bomb')
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used
        check('bomb ' + what, used < BOMB, used)
        os.unlink('bomb')


def swollen():
    """Of what decompresses to gigabytes in small steps, an amount is read that
    depends on the size of the file, and more only for who asks for it."""
    for what, raw in itertools.chain(bag_hostile.swollen(),
                                     mcap_hostile.swollen()):
        with open('swollen', 'wb') as out:
            out.write(raw)
        for command in (['verify', '-q'], ['verify', '-q', '--quick'],
                        ['repair', '-n', '-q'], ['info'], ['list', '-q']):
            code, _, said = run_all(*command, 'swollen')
            check('%s: %s stops' % (what, command), code == STOPPED, code)
            check('%s: %s names the limit' % (what, command),
                  b'--max-decoded' in said, said[-300:])
        used = peak('verify', '-q', 'swollen')
        check('%s: memory' % what, used < SWOLLEN, used)
        os.unlink('swollen')
    with open('swollen', 'wb') as out:
        out.write(bag_hostile.equal_chunks(100, 1, 1 << 20))
    code, _ = run('verify', '-q', '--max-decoded=200M', 'swollen')
    check('as much as is asked for', code == 4, code)
    os.unlink('swollen')


def repeated():
    """A text that thousands of channels share is not written thousands of times."""
    with open('repeated', 'wb') as out:
        out.write(mcap_hostile.shared_name(4000))
    exports = ['export', '-n', '-q', '-o', 'o.mcap'], ['extract', '-n', '-q', '-o', 'o']
    for command in (['verify', '-q'], ['info'], ['list', '-q'], ['repair', '-n', '-q'],
                    *exports):
        code, _, said = run_all(*command, 'repeated')
        check('a shared name: %s stops' % command, code == STOPPED, code)
        check('a shared name: %s says why' % command,
              b'many channels share' in b' '.join(said.split()), said[-300:])
    used = peak('verify', '-q', 'repeated')
    check('a shared name: memory', used < SWOLLEN, used)
    with open('repeated', 'wb') as out:
        out.write(ulog_hostile.shared_formats(1500))
    for command in exports:
        code, _, said = run_all(*command, 'repeated')
        check('shared formats: %s stops' % command, code == STOPPED, code)
        check('shared formats: %s says why' % command,
              b'many channels share' in b' '.join(said.split()), said[-300:])
        used = peak(*command, 'repeated')
        check('shared formats: memory', used < SWOLLEN, used)
    os.unlink('repeated')


def empty():
    """Nor is a text that is made of names alone."""
    with open('empty', 'wb') as out:
        out.write(mcap_hostile.names_alone(40000))
    before = sorted(os.listdir('.'))
    code, _, said = run_all('export', '-q', '-o', 'o.ndjson', 'empty')
    check('names: stops', code == STOPPED, code)
    check('names: says why', b'times as large' in b' '.join(said.split()),
          said[-300:])
    check('names: nothing is left', sorted(os.listdir('.')) == before,
          os.listdir('.'))
    os.unlink('empty')


def journals():
    """Nor does a line of a journal, whatever it holds."""
    with open('log', 'wb') as out:
        out.write(hostile.plain_blocks(10))
    for what, value in (('deep', b'[' * 9000000), ('wide', b'[' + b'1,' * 4500000),
                        ('of objects', b'{"a":' * 1800000),
                        ('long', b'"' + b'x' * (100 << 20) + b'"')):
        with open('lines', 'wb') as out:
            out.write(b'{"journal":1,"command":"verify","path":"log"}\n'
                      b'{"journal":1,"command":"verify","path":"log","x":'
                      + value + b'}\n')
        used = peak('verify', '-q', '--journal=lines', 'log')
        check('a line that is %s: memory' % what, used < LINE, used)
        os.unlink('lines')


def pages():
    """A page of what is no report, or too much of one, takes little."""
    for what, raw in (
            ('lines', b'a\n' * (1 << 21)), ('quotes', b'"\n' * (1 << 21)),
            ('commas', b',\n' * (1 << 21)), ('numbers', b'1\n' * (1 << 21)),
            ('strings', b'{"\\"\n' * (1 << 20)), ('objects', b'{\n' * (1 << 21)),
            ('beginnings', b'{"type":"file"x' * (1 << 19)),
            ('hidden beginnings', b'{"type":"file","\\"' * (1 << 18)),
            ('a wide line', b'[' + b'1,' * 4500000 + b'1]\n'),
            ('a deep line', b'[' * 9000000),
            ('objects in objects', b'{"a":' * 1800000)):
        with open('lines', 'wb') as out:
            out.write(raw)
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        memory = peak('report', '-o', 'page', 'lines')
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used
        check('a page of %s: time' % what, used < BOMB, used)
        check('a page of %s: memory' % what, memory < LINE, memory)
        os.unlink('lines')


def bounded():
    """No job takes more memory than --max-memory says."""
    if sanitized():
        return
    with open('bounded', 'wb') as out:
        out.write(bag_hostile.equal_chunks(1, 1000000, 0, "none"))
    for command in ['verify', '-q'], ['repair', '-n', '-q'], ['info'], ['list']:
        for more in [], ['-r']:
            given = [*command, '--max-memory=32M', *more, 'bounded']
            code, _, said = run_all(*given)
            check('%s: stops' % given, code == STOPPED, code)
            check('%s: names the limit' % given, b'--max-memory' in said,
                  said[-300:])
            used = peak(*given)
            check('%s: memory' % given, used < 48 << 10, used)
    code, _ = run('info', '--max-memory=1G', 'bounded')
    check('enough memory', code == 0, code)
    os.unlink('bounded')


def limits_of(job):
    """Bytes that each worker of a job may have, once all have begun."""
    until = time.monotonic() + 30
    while time.monotonic() < until and job.poll() is None:
        found = []
        try:
            with open('/proc/%d/task/%d/children' % (job.pid, job.pid),
                      encoding='ascii') as there:
                workers = there.read().split()
            for worker in workers:
                with open('/proc/%s/limits' % worker, encoding='ascii') as there:
                    found.append(re.search(r'Max data size +(\w+)',
                                           there.read())[1])
        except OSError:
            continue
        if found and 'unlimited' not in found:
            return [int(n) for n in found]
    return []


def shared():
    """Many workers together take no more memory than one process may, unless
    --max-memory says how much each may have."""
    if sanitized() or not os.path.exists('/proc/self/task/%d/children'
                                         % os.getpid()):
        return
    raw = bag_hostile.anchors(1000000)
    os.mkdir('several')
    for n in range(5):
        with open('several/%d.bag' % n, 'wb') as out:
            out.write(raw)
    seen = []
    for given in ['-j1'], ['-j4'], ['-j40'], ['-j4', '--max-memory=1G']:
        with subprocess.Popen([SALVOR, 'verify', '-q', '-r', *given, 'several'],
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as job:
            seen.append(limits_of(job))
            job.terminate()
    one, four, forty, each = seen
    check('one worker has all', len(one) == 1, one)
    check('four workers share it', one and len(set(four)) == 1
          and four[0] == one[0] // 4, (one, four))
    check('no more share it than have a file', one and len(set(forty)) == 1
          and forty[0] == one[0] // 5, (one, forty))
    check('each has what was said', set(each) == {1 << 30}, each)
    shutil.rmtree('several')


def stops():
    """A chunk that takes seconds to decode, and a list that is as long, do not
    keep a signal from ending the job: what it still works then is little."""
    for raw in bag_hostile.large_chunk(40 << 20), bag_hostile.anchors(1000000):
        with open('stops', 'wb') as out:
            out.write(raw)
        for command in ['verify', '-q'], ['repair', '-n', '-q'], ['info']:
            given = [*command, 'stops']
            with subprocess.Popen([SALVOR, *given], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as job:
                before, ended = worked(job.pid)
                while before < 0.2 and not ended:
                    time.sleep(0.01)
                    before, ended = worked(job.pid)
                check('%s: takes longer' % given, not ended)
                os.kill(job.pid, signal.SIGTERM)
                _, status, used = os.wait4(job.pid, 0)
                job.returncode = os.waitstatus_to_exitcode(status)
            after = used.ru_utime + used.ru_stime - before
            check('%s: stops at once' % given, after < AFTER, after)
        os.unlink('stops')


def worked(pid):
    """Seconds of the processor that it has used so far; whether it has ended."""
    with open('/proc/%d/stat' % pid, encoding='ascii') as there:
        fields = there.read().rpartition(')')[2].split()
    return (sum(map(int, fields[11:13])) / os.sysconf('SC_CLK_TCK'),
            fields[0] == 'Z')


def every_file():
    """(name, bytes) of all files that are read one by one."""
    yield from hostile.files(BDDF)
    rng = hostile.Dice(hostile.SEED)
    others = itertools.chain(bag_hostile.files(rng, BAGS),
                             drive_hostile.files(rng, OTHERS))
    for n, raw in enumerate(others, BDDF):
        yield hostile.name(rng, n), raw


def main():
    """Make the files and run everything on them."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir('hostile')
        for called, raw in every_file():
            with open(b'hostile/' + called, 'wb') as out:
                out.write(raw)
        files = sorted(os.path.join(b'hostile', f)
                       for f in os.listdir(b'hostile'))
        before = tree()
        check('they are all there', len(before) == BDDF + BAGS + OTHERS)
        describe(files, before)
        write(files, before)
        # By the name alone, which may look like an option.
        os.chdir('hostile')
        names = sorted(f for f in os.listdir(b'.') if b'.repaired' not in f)
        run('verify', '--effort=0', '-q', '--', *names)
        # These are looked through for flipped bits, which takes its time.
        for called in names[::EVERY]:
            run(called)
        os.chdir(folder)
        bombs()
        swollen()
        repeated()
        empty()
        journals()
        pages()
        bounded()
        shared()
        stops()
        os.chdir(TOP)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    check('memory', used < MEMORY, '%d KiB' % used)
    end()


main()
