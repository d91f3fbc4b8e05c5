#!/usr/bin/python3
"""options-man.py [--write] - has the manual every option as the table has it?

Groups, heads and commands of the section OPTIONS of man/salvor.1 are made from
`salvor --help=all`, which reads the table of options; only the text below each
head is written by hand.  --write makes them anew, and a head for an option that
has no text yet.  Exits with 1 where the page differs, or lacks a text or has one
of an option that there is not.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import os
import re
import subprocess
import sys

TOP = os.environ.get('SALVOR_SRCDIR', '.')
SALVOR = os.environ.get('SALVOR', os.path.join(TOP, 'build', 'salvor'))
PAGE = os.path.join(TOP, 'man', 'salvor.1')
OPTION = re.compile(r'^  (?:-(\w), |    )--([a-z0-9-]+)(\[?=\S+)?')
OWNERS = re.compile(r' \(([a-z, ]+)\)$')


def table():
    """Groups of options: title, then letter, name, argument and commands."""
    told = subprocess.run([SALVOR, '--help=all'], stdout=subprocess.PIPE,
                          check=True).stdout.decode()
    groups = []
    for line in re.sub(r'\n {26}', ' ', told).split('\n'):
        if re.match(r'[A-Z].*:$', line):
            groups.append((line[:-1], []))
        elif OPTION.match(line):
            owners = OWNERS.search(line)
            groups[-1][1].append(OPTION.match(line).groups('')
                                 + (owners.group(1) if owners else '',))
    return [group for group in groups if group[1]]


def escaped(text):
    """As roff has it."""
    return text.replace('-', '\\-')


def head(letter, name, argument, commands):
    """The lines above the text of an option."""
    value = argument.strip('[=]') if argument[:1] == '[' else argument[1:]
    # Words to be typed as they are, or what stands for a value.
    value = ('Cm ' if value[:1].islower() else 'Ar ') + escaped(value)
    line = '.It '
    if letter:
        line += 'Fl ' + letter
        line += ' ' + value if argument[:1] == '=' else ''
        line += ' , '
    line += 'Fl \\-' + escaped(name)
    if argument[:1] == '[':
        line += ' Ns Op = Ns ' + value
    elif argument:
        line += ' Ns = Ns ' + value
    if not commands:
        return [line]
    return [line, '.Pq Cm ' + ' , '.join(commands.split(', '))]


def split(page):
    """What precedes the options, their texts by group and name, what follows."""
    lines = page.split('\n')
    start = lines.index('.Sh OPTIONS') + 1
    end = next(i for i in range(start, len(lines))
               if lines[i].startswith('.Sh'))
    first = next(i for i in range(start, end) if lines[i].startswith('.Ss'))
    texts, text, title = {}, [], ''
    for line in lines[first:end]:
        if line.startswith('.It'):
            name = re.findall(r'Fl \\-([a-z0-9\\-]+)', line)[-1]
            text = texts.setdefault((title, name.replace('\\', '')), [])
            text.append(None)
        elif line.startswith(('.Ss', '.El', '.Bl -tag')):
            text = []
            if line.startswith('.Ss'):
                title = line[4:]
        else:
            text.append(line)
    return lines[:first], texts, lines[end:]


def main():
    """Compare, or write."""
    with open(PAGE, encoding='utf-8') as page:
        old = page.read()
    before, texts, after = split(old)
    made, bad = [], []
    for title, options in table():
        made += ['.Ss ' + title, '.Bl -tag -width Ds']
        for option in options:
            above = head(*option)
            text = texts.pop((title, option[1]), [None])
            # What is there instead of the commands is made anew, too.
            own = [line for line in text[1:]
                   if not line.startswith('.Pq Cm ') or line is not text[1]]
            if text.count(None) > 1 or not ''.join(own).strip():
                bad.append('--%s needs one text' % option[1])
            made += above + own
        made.append('.El')
    bad += ['there is no option --%s' % name for _, name in texts]
    new = '\n'.join(before + made + after)
    if '--write' in sys.argv[1:]:
        with open(PAGE, 'w', encoding='utf-8') as page:
            page.write(new)
    elif new != old:
        bad.append('man/salvor.1 differs from the table: '
                   'scripts/options-man.py --write')
    for line in bad:
        print(line)
    return 1 if bad else 0


sys.exit(main())
