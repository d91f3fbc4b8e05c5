#!/usr/bin/python3
"""The page that repairs logs in a browser, made of web/, src/page/ and the package
for npm.

    dist-web.py SOURCES PACKAGE FOLDER

SOURCES is the source tree, PACKAGE the folder of the package.  Into FOLDER go
salvor-VERSION.html, which is opened as a file, and web/, which is put on a
server: the same page and the service worker that keeps it.
"""
import base64
import gzip
import hashlib
import json
import pathlib
import re
import sys
import urllib.parse

# Scripts of the reports that a page shows, in this order, and those of the page.
REPORT = 'words dom map times detail'
PAGE = 'needs scratch save queue entry drop app'
WORKER = 'salvor load blob_host worker'

EXPORTED = re.compile(r'^export (?:async )?(?:const|let|class|function\*?) (\w+)',
                      re.MULTILINE)
IMPORT = re.compile(r'^import (\w+|\{[^}]*\}) from "\./(\w+)\.mjs";\n', re.MULTILINE)


def own(package, name):
    """A module of the package without what only modules may have; its name is that of
    what it exports, by which others take it."""
    text = (package / (name + '.mjs')).read_text(encoding='utf-8')
    text = IMPORT.sub(
        lambda found: 'const %s = %s;\n' % (
            found[1] if found[1][0] == '{' else '{ default: %s }' % found[1],
            'module_' + found[2]), text)
    names = EXPORTED.findall(text)
    default = re.findall(r'^export default (\w+);\n', text, re.MULTILINE)
    text = re.sub(r'^export default \w+;\n', '', text, flags=re.MULTILINE)
    text = re.sub(r'^export ', '', text, flags=re.MULTILINE)
    return text, names + ['default: ' + one for one in default]


def module(package, name):
    """A module as an object, in a scope of its own."""
    text, names = own(package, name)
    return 'const module_%s = (() => {\n%s\nreturn { %s };\n})();\n' % (
        name, text, ', '.join(names))


def worker(package):
    """All that runs in a worker.  No module: Chromium starts none for a page that is
    a file."""
    names = WORKER.split()
    return '(async () => {\n%s%s\n})();\n' % (
        ''.join(module(package, name) for name in names[:-1]),
        own(package, names[-1])[0])


def script(sources, package):
    """All that runs in the page."""
    parts = [(sources / 'src/page' / (name + '.js')) for name in REPORT.split()]
    texts = [part.read_text(encoding='utf-8') for part in parts]
    texts.append(module(package, 'index') + 'const salvor = module_index;\n')
    texts += [(sources / 'web' / (name + '.js')).read_text(encoding='utf-8')
              for name in PAGE.split()]
    return ''.join(texts)


def inside(text):
    """Text that is put into an element: nothing in it may end that one."""
    if re.search(r'</script|</style|<!--|<script', text, re.IGNORECASE):
        sys.exit('dist-web: a part would end the element that it is in')
    return text


def digest(text):
    """As a policy names a script or a style."""
    return "'sha256-%s'" % base64.b64encode(
        hashlib.sha256(text.encode()).digest()).decode()


def filled(template, parts):
    """A template with its parts, none of which is a template."""
    return re.sub('@([A-Z]+)@', lambda found: parts[found[1]], template)


def page(sources, package, offline):
    """The page; offline: the name of its service worker, or nothing."""
    style = inside(''.join((sources / name).read_text(encoding='utf-8')
                           for name in ('src/page/style.css', 'web/style.css')))
    code = inside(script(sources, package))
    wasm = (package / 'salvor.wasm').read_bytes()
    version = json.loads(
        (package / 'package.json').read_text(encoding='utf-8'))['version']
    policy = '; '.join([
        "default-src 'none'", "script-src %s 'wasm-unsafe-eval'" % digest(code),
        'style-src ' + digest(style), 'img-src data:',
        "worker-src blob:" + (" 'self'" if offline else ''),
        "base-uri 'none'", "form-action 'none'"])
    icon = (sources / 'web/icon.svg').read_text(encoding='utf-8').strip()
    return filled((sources / 'web/page.html').read_text(encoding='utf-8'), {
        'VERSION': version, 'OFFLINE': offline, 'POLICY': policy,
        'ICON': 'data:image/svg+xml,' + urllib.parse.quote(icon, safe=" =:/'"),
        'STYLE': style, 'SCRIPT': code, 'WORKER': inside(worker(package)),
        'WASM': base64.b64encode(gzip.compress(wasm, mtime=0)).decode()}), version


def main():
    """Write both."""
    sources, package, folder = map(pathlib.Path, sys.argv[1:])
    served = folder / 'web'
    served.mkdir(parents=True, exist_ok=True)
    alone, version = page(sources, package, '')
    name = 'salvor-%s.html' % version
    (folder / name).write_text(alone, encoding='utf-8')
    kept = page(sources, package, 'offline.js')[0]
    (served / 'index.html').write_text(kept, encoding='utf-8')
    offline = (sources / 'web/offline.js').read_text(encoding='utf-8')
    (served / 'offline.js').write_text(filled(offline, {
        'DIGEST': hashlib.sha256(kept.encode()).hexdigest()}), encoding='utf-8')
    print('dist-web: %s/%s: %d bytes; %s/: the same for a server' % (
        folder, name, len(alone), served), file=sys.stderr)


if __name__ == '__main__':
    main()
