#!/usr/bin/python3
"""A BDDF log that other bytes precede, in all dialects.

- the log is restored to the byte, and proven by its digest, also where it is there
  twice, or its beginning once more
- where the tail of it is cut, too, its blocks are kept
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
