#!/usr/bin/python3
"""Logs that lost their beginning and carry a log of another format.

A bag that records a download, a Cyber message that holds a file: where the first
bytes are missing or overwritten, the log inside is the only one with a beginning.
The file is still one of the format outside, and its records are kept.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import json
import os
import pathlib
import random
import subprocess
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    import bag_writer
    import bddf_writer
    import carla_writer
    import cyber_writer
    from tally import check, end

RNG = random.Random(26)
START = 1700000000


def noise(n):
    """n bytes that mean nothing."""
    return RNG.randbytes(n)


def bag(payloads):
    """A bag with a message for each payload."""
    return bag_writer.write(
        [bag_writer.Connection(0, '/a', 'std_msgs/String', 'string data')],
        [bag_writer.Message(0, START + i, i, p)
         for i, p in enumerate(payloads)],
        bag_writer.Shape(threshold=20000))


def cyber(payloads):
    """A Cyber record with a message for each payload."""
    channel = cyber_writer.Channel('/a', 't.A', cyber_writer.desc('/a'))
    return cyber_writer.write([channel], [
        cyber_writer.Message('/a', START * 10 ** 9 + i * 10 ** 7, p)
        for i, p in enumerate(payloads)], cyber_writer.Shape(limit=20000))


def bddf(payloads):
    """A BDDF log with a block for each payload."""
    log = bddf_writer.Log().declare(0, 'a')
    for p in payloads:
        log.data(0, p)
    return log.close()


def carla(_):
    """A CARLA log; its packets carry nothing."""
    return carla_writer.log(sorted(carla_writer.DIALECTS)[0], 40)


OUTER = {'rosbag': bag, 'cyber': cyber, 'bddf': bddf}
INNER = {**OUTER, 'carla': carla}


def nested(outer, inner, at):
    """The bytes of a log in which the payload at a place is another log."""
    payloads = [noise(900) for _ in range(60)]
    payloads[at] = inner([noise(300) for _ in range(30)])
    return outer(payloads)


def beheaded(raw):
    """Ways to lose a beginning."""
    yield 'zeros', bytes(64) + raw[64:]
    yield 'page', bytes(4096) + raw[4096:]
    yield 'noise', noise(5000) + raw[5000:]
    yield 'cut', raw[6000:]


def verify(raw):
    """What salvor says of it."""
    pathlib.Path('x').write_bytes(raw)
    done = subprocess.run([SALVOR, 'verify', '--json', 'x'], check=False,
                          capture_output=True, stdin=subprocess.DEVNULL)
    return json.loads(done.stdout.splitlines()[0])


def main():
    """Run everything."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, outer in OUTER.items():
            for other, inner in INNER.items():
                if other == name:
                    continue
                for place in 8, 30, 59:
                    raw = nested(outer, inner, place)
                    for how, damaged in beheaded(raw):
                        report = verify(damaged)
                        what = '%s in %s at %d, %s' % (other, name, place, how)
                        check(what + ': its format',
                              report.get('format') == name,
                              report.get('format'))
                        check(what + ': what it carries is no loss',
                              report['blocks']['kept'] >= 50,
                              report['blocks'])
        os.chdir(TOP)
    end()


main()
