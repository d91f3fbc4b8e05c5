#!/usr/bin/python3
"""Do exports as CSV hold every record, with the values that exports as lines of JSON have?

All logs of testdata are exported, damaged or not.  Python's csv reads from the folder
what check_ndjson.py has compared with other readers: the same records in the same order,
and every value of them in the column that its place says.  What a list has too many of
is JSON in one cell.  File names are safe, whatever topics are called, and the folder
appears complete or not at all.

    check_csv.py [FORMAT...]

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set where
nothing may be skipped.
"""
import base64
import csv
import hashlib
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    import bag_writer
    from bddf_writer import Log, field
    from tally import check, end

FORMATS = 'bddf', 'carla', 'cyber', 'dataflash', 'mcap', 'rosbag', 'ulog'
ODD = {'NaN': 'nan', 'Infinity': 'inf', '-Infinity': '-inf'}
csv.field_size_limit(1 << 28)


class Number(str):
    """The text of a number that is not whole."""


def export(log, out, *options):
    """The exit code."""
    return subprocess.run([SALVOR, 'export', '-qq', *options, '-o', out, log],
                          check=False, capture_output=True).returncode


def rows_of(path):
    """The rows of a file; all have as many cells as the first one."""
    raw = path.read_bytes()
    check('%s: UTF-8 without NUL' % path.name, b'\0' not in raw
          and raw.decode('utf-8').endswith('\n'))
    with open(path, encoding='utf-8', newline='') as text:
        lines = list(csv.reader(text, strict=True))
    check('%s: as many cells' % path.name,
          all(len(line) == len(lines[0]) for line in lines)
          and len(set(lines[0])) == len(lines[0]), lines[0])
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def text_of(cell):
    """What a cell of text is."""
    if cell.startswith('base64:'):
        raw = base64.b64decode(cell[7:])
        try:
            return raw.decode('utf-8')
        except UnicodeDecodeError:
            return {'base64': base64.b64encode(raw).decode()}
    return cell


def is_text(value):
    """Is it one value of text, other than a number?"""
    return isinstance(value, dict) and list(value) == ['base64'] \
        or isinstance(value, str) and not isinstance(value, Number)


def hold_value(row, name, value):
    """The columns of a value; those that are right are taken out of the row."""
    if isinstance(value, dict) and not is_text(value):
        return all(hold_value(row, '%s.%s' % (name, key), one)
                   for key, one in value.items())
    if isinstance(value, list):
        return hold_list(row, name, value)
    cell = row.pop(name, None)
    if isinstance(value, bool):
        return cell == str(value).lower()
    if value in ODD.items() or (isinstance(value, str) and value in ODD
                                and cell == ODD[value]):
        return True
    if is_text(value):
        return cell is not None and text_of(cell) == value
    return cell == str(value)


def is_empty(value):
    """Is there no value in it, which needs no column?"""
    if isinstance(value, dict) and not is_text(value):
        return all(map(is_empty, value.values()))
    return value == []


def hold_list(row, name, values):
    """A list: its length, if that varies, the first values, and the rest."""
    length = row.pop(name + '.length', None)
    rest = json.loads(row.pop(name + '.rest', '') or '[]',
                      parse_float=Number)
    first = len(values) - len(rest)
    good = length in (None, str(len(values))) and values[first:] == rest
    for number, one in enumerate(values[:first]):
        place = '%s.%d' % (name, number)
        good = good and (hold_value(row, place, one) if any(
            c == place or c.startswith(place + '.') for c in row)
            else is_empty(one))
    return good


def hold_record(line, rows):
    """The rows of a record; True: they hold it, and nothing else."""
    row = rows.pop(0)
    head = [row.pop(key) for key in (
        'log_time', 'publish_time', 'sequence', 'sure', 'offset', 'inner',
        'after_gap', 'made', 'channel_id')]
    want = [str(line.get(key) if line.get(key) is not None else '')
            for key in ('log_time', 'publish_time', 'sequence', 'sure',
                        'offset', 'inner')]
    want += [str(key in line).lower() for key in ('after_gap', 'made')]
    want.append(str(line['channel_id']))
    good = head == want
    if 'data' not in line:
        return good and row.pop('data_base64') == line['data_base64'] \
            and not any(row.values())
    if not isinstance(line['data'], list):
        return good and hold_value(row, 'data', line['data']) \
            and not any(row.values())
    for number, value in enumerate(line['data']):
        row = {k: v for k, v in row.items() if k.startswith('data')
               or k == 'index'}
        good = good and row.pop('index') == str(number) \
            and hold_value(row, 'data', value) and not any(row.values())
        if number + 1 < len(line['data']):
            row = rows.pop(0)
    return good and (line['data'] or not any(row.values()))


def topic_of(line):
    """The name of a channel, as bytes."""
    return line['topic'].encode() if 'topic' in line \
        else base64.b64decode(line['topic_base64'])


def hold(name, lines, folder):
    """A folder has these records."""
    index = rows_of(folder / '_files.csv')
    files = {}
    for row in index:
        path = folder / row['file']
        raw = path.read_bytes()
        check('%s: %s' % (name, row['file']), row['bytes'] == str(len(raw))
              and row['sha1'] == hashlib.sha1(raw).hexdigest())
        files[row['file']] = rows_of(path)
    names = {p.name for p in folder.iterdir()}
    check('%s: no other files' % name, names == set(files)
          | {'_files.csv', '_gaps.csv', '_log.csv'}, names)
    places = {}
    for row in index:
        topic = text_of(row['topic'])
        topic = topic.encode() if isinstance(topic, str) \
            else base64.b64decode(topic['base64'])
        places.setdefault(topic, set()).add(row['file'])
    for line in lines:
        if 'channel' in line or not any(k.startswith('topic') for k in line):
            continue
        topic = topic_of(line)
        # A name that two descriptions share has two files.
        held = [f for f in sorted(places[topic]) if files[f]
                and files[f][0]['offset'] == str(line['offset'])
                and files[f][0]['inner'] == str(line.get('inner', ''))]
        good = len(held) >= 1 and hold_record(line, files[held[0]])
        if not good:
            check('%s: a record' % name, False, (line, held))
            return
    check('%s: no other rows' % name, not any(files.values()), files)
    gaps = [line['gap'] for line in lines if 'gap' in line]
    check('%s: gaps' % name, rows_of(folder / '_gaps.csv') == [
        {'earlier': str('earlier' in g).lower(),
         **{k: '' if v is None else str(v) for k, v in g.items()
            if k != 'earlier'}} for g in gaps], gaps)
    check('%s: the log' % name, {r['key']: r['value'] for r in
                                 rows_of(folder / '_log.csv')}
          == lines[-1]['salvor'])


def read_lines(path):
    """An export as lines of JSON."""
    return [json.loads(line, parse_float=Number)
            for line in path.read_text().splitlines()]


def one_log(log, folder):
    """A log, in both forms."""
    lines, out = folder / 'lines.ndjson', folder / (log.name + '.csv')
    lines.unlink(missing_ok=True)
    code = export(log, lines)
    check('%s: exit code' % log.name, export(log, out) == code, code)
    check('%s: there is one' % log.name, out.exists() == lines.exists())
    if out.exists():
        hold(log.name, read_lines(lines), out)


def one_format(form, folder):
    """All logs of a format."""
    for log in sorted((TOP / 'testdata' / form).iterdir()):
        if log.suffix not in ('.md', '.txt'):
            one_log(log, folder)


def bag_of(topics, definition='uint8 x', payloads=(b'\7',)):
    """A bag with a message, or some, on each topic."""
    return bag_writer.write(
        [bag_writer.Connection(i, topic, 'a/A', definition)
         for i, topic in enumerate(topics)],
        [bag_writer.Message(i, 1700000000, 5, payload)
         for payload in payloads for i in range(len(topics))])


def lists(folder):
    """Lists of many lengths, in each other."""
    def sized(*values):
        return struct.pack('<I', len(values)) + b''.join(values)

    def number(n):
        return struct.pack('<d', n / 10)

    short = sized(*(sized(*map(number, range(n))) for n in (0, 3, 1)))
    long = sized(*(sized(*map(number, range(n % 70))) for n in range(130)))
    log = folder / 'lists.bag'
    definition = 'B[] b\n====\nMSG: a/B\nfloat64[] x\n'
    log.write_bytes(bag_of(['/l'], definition, (short, long, sized())))
    one_log(log, folder)
    columns = rows_of(folder / 'lists.bag.csv' / 'l.csv')[0].keys()
    check('lists: bounded', 'data.b.rest' in columns
          and 'data.b.0.x.length' not in columns and len(columns) < 1200,
          len(columns))
    log = folder / 'samples.bddf'
    bddf = Log()
    for index, more in enumerate((b'', field(2, 2) + field(2, 3))):
        bddf.declare(index, 'p%d' % index, kind=field(5, field(1, 9) + more))
    for n in (6, 0, 12):
        for index in range(2):
            bddf.data(index, struct.pack('<%df' % n, *range(n)))
    bddf.data(1, b'1234')  # no whole sample
    log.write_bytes(bddf.close())
    one_log(log, folder)


def publishers(folder):
    """Two publishers of a topic share a file, and rows say of which they are."""
    log = folder / 'publishers.bag'
    log.write_bytes(bag_of(['/p', '/q', '/p'], payloads=(b'\7', b'\x08')))
    one_log(log, folder)
    out = folder / 'publishers.bag.csv'
    index = {(r['file'], r['channel_id']) for r in rows_of(out / '_files.csv')}
    check('publishers: files', index == {('p.csv', '0'), ('q.csv', '1'),
                                         ('p.csv', '2')}, index)
    check('publishers: rows', [r['channel_id'] for r in rows_of(out / 'p.csv')]
          == ['0', '2'] * 2)


def formulas(folder):
    """What a program for tables takes for a formula is as it is in the log."""
    values = [b + b'1+1' for b in (b'=', b'+', b'-', b'@', b'\t', b'\r', b"'")]
    log = folder / 'formulas.bag'
    log.write_bytes(bag_of(['/f'], 'string s', [
        struct.pack('<I', len(value)) + value for value in values]))
    one_log(log, folder)
    rows = rows_of(folder / 'formulas.bag.csv' / 'f.csv')
    check('formulas: as they are', [row['data.s'].encode() for row in rows]
          == values, rows)


def names(folder):
    """File names are safe, and differ in more than the case of letters."""
    topics = ['/../../x', '/a/b', '/a_b', '/A/B', '/.hidden', '/-n', '/_files',
              '/a b', '/' + 'y' * 60000, '/' + 'y' * 60001, '/~2', '/%41',
              '/"quoted", with commas', '/\u00e4', '/=1+1']
    log = Log()
    for index, topic in enumerate(topics):
        log.declare(index, topic, kind=field(5, field(1, 5)))
        log.data(index, b'\1')
    source = folder / 'names.bddf'
    source.write_bytes(log.close())
    one_log(source, folder)
    there = sorted(p.name for p in (folder / 'names.bddf.csv').iterdir())
    check('names: one for each', len(there) == len(topics) + 3
          and len({n.lower() for n in there}) == len(there), there)
    check('names: safe', all(len(n) < 200 and n.isascii() and not
                             set(n) & set('/\\ "\',;:*?<>|') and n[0] not in
                             '.-' for n in there), there)


def publishing(folder):
    """What is there stays, unless it is the same or nothing."""
    log = folder / 'p.bag'
    log.write_bytes(bag_of(['/a', '/b']))
    out = folder / 'published'

    def left():
        return [p.name for p in folder.iterdir()
                if p.name.startswith('.salvor-')]

    check('dry run', export(log, out, '--to=csv', '-n') == 0
          and not out.exists())
    out.mkdir()
    check('an empty folder becomes one', export(log, out, '--to=csv') == 0
          and (out / 'a.csv').exists())
    check('the same again', export(log, str(out) + '/') == 0)
    for change in ('more', 'other', 'file'):
        if change == 'more':
            (out / 'more').write_text('')
        elif change == 'other':
            (out / 'more').unlink()
            (out / 'a.csv').write_text('mine')
        else:
            out = folder / 'a_file'
            out.write_text('mine')
        before = sorted(p.read_bytes() for p in out.iterdir()) \
            if out.is_dir() else out.read_bytes()
        for option in ('-qq', '-f'):
            check('%s: stays with %s' % (change, option),
                  export(log, out, '--to=csv', option) in (8, 16), change)
        after = sorted(p.read_bytes() for p in out.iterdir()) \
            if out.is_dir() else out.read_bytes()
        check('%s: is as it was' % change, before == after)
    check('nothing is left', not left(), left())
    done = subprocess.run([SALVOR, 'export', '--to=csv', '-o', '-', log],
                          check=False, capture_output=True)
    check('no folder on standard output', done.returncode == 16
          and not done.stdout, done)
    done = subprocess.run([SALVOR, 'export', '-qq', '--to=csv', '-d', folder,
                           log], check=False, capture_output=True)
    check('below a folder', done.returncode == 0
          and (folder / 'p.csv' / 'a.csv').exists(), done)
    check('where there is none', export(log, folder / 'no' / 'x.csv') == 8)


def main():
    """All formats, or those that are named."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for form in sys.argv[1:] or FORMATS:
            one_format(form, folder)
        if not sys.argv[1:]:
            lists(folder)
            formulas(folder)
            publishers(folder)
            names(folder)
            publishing(folder)
    end()


main()
