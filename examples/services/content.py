#!/usr/bin/env python3
"""A content service of a shop, with Python's standard library alone.

    python3 content.py    answers the call at http://127.0.0.1:8083

Variables: PORT, and FOLDER (content beside this file) with a file <SITE>.json for each
site whose footer differs. It is read at each call, so that a change needs no restart.
"""

import os
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

PORT = int(os.environ.get("PORT", "8083"))
FOLDER = Path(os.environ.get("FOLDER", Path(__file__).with_name("content")))
CALL = re.compile(r"/service/footercontent/api/v1/content/(\w+)")
NONE = b'{"type": "NOT_FOUND", "title": "there is no such content", "status": 404}'


class Handler(BaseHTTPRequestHandler):
    """Answers the calls of one connection, which no browser makes."""

    protocol_version = "HTTP/1.1"
    timeout = 30  # seconds until an idle connection is closed
    disable_nagle_algorithm = True

    def do_GET(self):
        match = CALL.fullmatch(urlsplit(self.path).path)
        file = FOLDER / f"{match[1]}.json" if match else None
        if file and file.is_file():
            self.reply(200, file.read_bytes())
        else:
            self.reply(404, NONE)

    do_HEAD = do_GET

    def reply(self, status, content):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_request(self, *_):
        """Logs nothing: each site asks every 20 seconds."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
    print(f"content service at http://127.0.0.1:{PORT}", flush=True)
    server.serve_forever()
