"""A web server with git behind it, as hosting services have it: TLS, a name and a password, `git http-backend`.

A process of its own, since nothing in the tests may open a socket. `python web_git.py FOLDER` serves the repositories
of that folder, with `cert.pem` and `key.pem` there, to `host` with the password `hunter2`, and prints its port.
"""

from __future__ import annotations

import base64
import os
import ssl
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ALLOWED = "Basic " + base64.b64encode(b"host:hunter2").decode()
CERTIFICATE = (
    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out cert.pem -days 2 "
    "-subj /CN=localhost -addext subjectAltName=DNS:localhost"
)


class WebGit:
    """The process, seen from a test."""

    def __init__(self, folder: Path) -> None:
        subprocess.run(CERTIFICATE.split(), cwd=folder, check=True, capture_output=True)
        subprocess.run(["git", "init", "-q", "--bare", "srv.git"], cwd=folder, check=True)
        subprocess.run(["git", "-C", "srv.git", "config", "http.receivepack", "true"], cwd=folder, check=True)
        words = [sys.executable, __file__, str(folder)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout
        self.port = int(self.process.stdout.readline())

    def close(self) -> None:
        self.process.terminate()
        self.process.communicate()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        """Hand the question to git, and its answer back."""
        if self.headers.get("Authorization") != ALLOWED:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="ledgers"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        path, _, query = self.path.partition("?")
        given = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        env = {
            **os.environ, "GIT_PROJECT_ROOT": sys.argv[1], "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
            "QUERY_STRING": query, "REQUEST_METHOD": self.command, "REMOTE_USER": "host",
            "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(given)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }  # fmt: skip
        told = subprocess.run(["git", "http-backend"], input=given, env=env, capture_output=True, check=False).stdout
        head, _, body = told.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self.send_response(int(fields.pop("Status", "200").split()[0]))
        fields["Content-Length"] = str(len(body))
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{sys.argv[1]}/cert.pem", f"{sys.argv[1]}/key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()
