"""Serves the files of the current folder over HTTP, in ranges."""
import http.server
import os
import re
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    """One request: a file, or a range of it."""
    asked = []  # what was sent, in bytes, of all requests

    def do_HEAD(self):  # pylint: disable=invalid-name
        """The size alone."""
        self.send(False)

    def do_GET(self):  # pylint: disable=invalid-name
        """The bytes, too."""
        self.send(True)

    def send(self, body):
        """Answer."""
        name = os.path.basename(self.path)
        if not os.path.isfile(name):
            self.send_error(404)
            return
        size = os.path.getsize(name)
        wanted = re.fullmatch(r'bytes=(\d+)-(\d+)',
                              self.headers.get('Range') or '')
        first, last = map(int, wanted.groups()) if wanted else (0, size - 1)
        last = min(last, size - 1)
        self.send_response(206 if wanted else 200)
        self.send_header('Content-Length', str(last + 1 - first))
        self.end_headers()
        if body:
            self.asked.append(last + 1 - first)
            with open(name, 'rb') as f:
                f.seek(first)
                self.wfile.write(f.read(last + 1 - first))

    def log_message(self, format, *args):  # pylint: disable=W0622
        """Say nothing."""


def start():
    """The address of a server that ends with the program."""
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return 'http://127.0.0.1:%d/' % server.server_address[1]
