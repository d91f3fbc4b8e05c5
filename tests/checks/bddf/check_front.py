#!/usr/bin/python3
"""A BDDF log that other bytes precede, in all dialects.

- the log is restored to the byte, and proven by its digest, also where it is there
  twice, or its beginning once more
- where the tail of it is cut, too, its blocks are kept, and where it is damaged in
  another place or a few bytes follow, all but one or two
- a log without its beginning, of which a payload carries another log, is not
  taken for that other one

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import random
import tempfile

from support.start import parts

with parts():
    import bddf_trial
    from bddf_writer import Log
    from tally import check, end
    bddf_trial.load()


def log(seed, n=60, carried=b'', **how):
    """A log of two series; one of its blocks carries some bytes."""
    random_ = random.Random(seed)
    made = Log(**how).declare(0, 'a').declare(1, 'b', ['x/y']).clock(seed)
    for number in range(n):
        made.data(number % 2, random_.randbytes(random_.choice([0, 9, 200])),
                  [number] * (number % 2))
        if number == n // 2 and carried:
            made.data(0, carried)
    return made


def fronts():
    """(name, bytes)."""
    random_ = random.Random(1)
    for size in 1, 3, 4, 19, 512, 5000:
        yield 'zeros-%d' % size, bytes(size)
        yield 'random-%d' % size, random_.randbytes(size)
    yield 'text', b'HTTP/1.1 200 OK\r\nContent-Type: x\r\n\r\n'
    yield 'magic', b'BDDF' + random_.randbytes(40)


def hurt(whole):
    """(name, log, records that are lost at most) of other damage to it."""
    blocks = bddf_trial.boundaries(whole)
    data = [block for block in blocks if block[2] == 'data']
    yield 'followed-1', whole + b'\xbb', 0
    yield 'followed-7', whole + b'\xbb' * 7, 0
    for name, places in ('index', [b for b in blocks if 'index' in b[2]]), (
            'data', [data[n] for n in (3, 8, 30, 50)]):
        for at, stop, _ in places:
            for start in at, at + 7, at + 13, stop - 2:
                for size in 1, 5, 30:
                    yield ('%s-%d-%d' % (name, start, size),
                           whole[:start] + bytes(size)
                           + whole[start + size:], 3 * (name == 'data'))


def check_hurt(folder, how, whole):
    """Bytes precede a log that is damaged elsewhere, too."""
    want, most = bddf_trial.records(whole), {}
    cases = []
    for name, bad, lost in hurt(whole):
        for front, more in fronts():
            if front in ('zeros-19', 'random-1', 'random-5000', 'text'):
                cases.append((front + '-' + name, more + bad))
                most[cases[-1][0]] = lost
    bad = [r.name for r in bddf_trial.repair(folder, cases, '--reseal')
           if sum((want - r.records()).values()) > most[r.name]]
    check('hurt %s' % how, not bad, bad)


def main():
    """All dialects."""
    with tempfile.TemporaryDirectory() as folder:
        for grammar in False, True:
            for last in True, False:
                how = {'grammar': grammar, 'type_last': last}
                whole = log(3, **how).close()
                data = len(bytes(log(3, **how).raw))
                cases = [(name, front + whole) for name, front in fronts()]
                cases += [(name + '-twice', front + 2 * whole)
                          for name, front in fronts()]
                cases += [(name + '-again', front + 2 * whole + whole[:900])
                          for name, front in fronts()]
                bad = [r.name for r in bddf_trial.repair(folder, cases)
                       if r.output != whole
                       or (r.report['state'], r.report['assurance'])
                       != ('repaired', 'digest')]
                check('whole %s' % how, not bad, bad)
                want = bddf_trial.records(whole)
                cases = [(name, front + whole[:data])
                         for name, front in fronts()]
                bad = [r.name for r in bddf_trial.repair(folder, cases)
                       if r.records() != want]
                check('open %s' % how, not bad, bad)
                check_hurt(folder, how, whole)
        inner = log(-9, 20).close()
        for n in 60, 8:
            whole = log(5, n, inner).close()
            want, bad = bddf_trial.records(whole), []
            cases = [('%d-%d' % (n, size), bytes(size) + whole[size:])
                     for size in range(4, len(whole) // 3, 37)]
            for result in bddf_trial.repair(folder, cases):
                if result.output and result.records() - want:
                    bad.append(result.name)
            check('carried %d' % n, not bad, bad)
    end()


if __name__ == '__main__':
    main()
