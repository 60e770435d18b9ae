#!/usr/bin/env python3
"""A login and customer service of a shop, with Python's standard library alone.

    python3 login.py         answers the calls at http://127.0.0.1:8081
    python3 login.py hash    asks for a password, prints its hash for customers.json

Variables: PORT, DATABASE (login.sqlite), CUSTOMERS (customers.json beside this file),
NEWSLETTER_URL (http://127.0.0.1:8082): newsletter.py, which knows who has subscribed.
"""

import base64
import getpass
import hashlib
import hmac
import json
import os
import secrets
import sqlite3
import sys
import time
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import urlopen

PORT = int(os.environ.get("PORT", "8081"))
DATABASE = os.environ.get("DATABASE", "login.sqlite")
CUSTOMERS_FILE = os.environ.get("CUSTOMERS", Path(__file__).with_name("customers.json"))
NEWSLETTER_URL = os.environ.get("NEWSLETTER_URL", "http://127.0.0.1:8082")

MINUTE, HOUR, DAY = 60, 3600, 86400
# How long a session lasts without a renewal, and at most.
LIFETIME = 30 * MINUTE, 12 * HOUR
# The same for customers who stay logged in.
LONG_LIFETIME = 14 * DAY, 90 * DAY
RENEW_AFTER = 10 * MINUTE
MAX_ATTEMPTS, ATTEMPTS_PERIOD = 5, 15 * MINUTE
MAX_BODY = 4096  # bytes

# https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
COST = {"n": 2**14, "r": 8, "p": 5}
# Nobody verifies the signature of LoginToken, because the token grants nothing.
CLOCK_KEY = secrets.token_bytes(32)

TABLES = """
create table if not exists session (
  credential text primary key, -- its hash
  email text, stay integer, expires_at integer, ends_at integer
);
create table if not exists attempt (email text, at integer);
"""


class CallError(Exception):
    """Ends a call with an error."""

    def __init__(self, status, kind, title, headers=()):
        super().__init__(title)
        self.body = {"type": kind, "title": title, "status": status}
        self.headers = headers


def now():
    return int(time.time())


def hash_password(password):
    salt = secrets.token_bytes(16)
    key = hashlib.scrypt(password.encode(), salt=salt, **COST)
    return {**COST, "salt": salt.hex(), "key": key.hex()}


def is_right(password, stored):
    cost = {name: stored[name] for name in COST}
    salt = bytes.fromhex(stored["salt"])
    key = hashlib.scrypt(password.encode(), salt=salt, **cost)
    return hmac.compare_digest(key.hex(), stored["key"])


CUSTOMERS = {one["email"]: one for one in json.loads(Path(CUSTOMERS_FILE).read_text())}
# Checking the password of an unknown address takes as long as of any other.
NOBODY = {"password": hash_password(secrets.token_hex())}


def digest(credential):
    """Hashes a credential, so that a reader of the database can't use it."""
    return hashlib.sha256(credential.encode()).hexdigest()


def write_token(claims):
    """Writes a JSON Web Token."""
    header = {"alg": "HS256", "typ": "JWT"}
    signed = b".".join(encode(json.dumps(part).encode()) for part in (header, claims))
    return (signed + b"." + encode(hmac.digest(CLOCK_KEY, signed, "sha256"))).decode()


def encode(part):
    return base64.urlsafe_b64encode(part).rstrip(b"=")


@contextmanager
def transaction():
    """Opens the database, and keeps the changes unless an error is raised."""
    with closing(sqlite3.connect(DATABASE, isolation_level=None)) as db:
        db.row_factory = sqlite3.Row
        db.execute("begin immediate")
        yield db
        db.execute("commit")


def count_attempt(email):
    """Counts an attempt to log in. Returns how many seconds to wait instead, or 0.

    Addresses without an account count, too, so that nobody learns which have one.
    """
    with transaction() as db:
        db.execute("delete from attempt where at <= ?", [now() - ATTEMPTS_PERIOD])
        query = "select count(*), min(at) from attempt where email = ?"
        count, first = db.execute(query, [email]).fetchone()
        if count >= MAX_ATTEMPTS:
            return first + ATTEMPTS_PERIOD - now()
        # Before the password is checked, so that parallel attempts gain nothing.
        db.execute("insert into attempt values (?, ?)", [email, now()])
    return 0


def start_session(credential, email, stay):
    _, longest = LONG_LIFETIME if stay else LIFETIME
    row = [digest(credential), email, stay, now() + longest, now() + longest]
    with transaction() as db:
        db.execute("delete from attempt where email = ?", [email])
        db.execute("delete from session where expires_at <= ?", [now()])
        db.execute("insert into session values (?, ?, ?, ?, ?)", row)


def find_session(credential):
    query = "select * from session where credential = ? and expires_at > ?"
    with transaction() as db:
        return db.execute(query, [digest(credential), now()]).fetchone()


def extend_session(credential):
    """Extends a session, not beyond its end. Returns None if there is none."""
    session = find_session(credential)
    if session:
        idle, _ = LONG_LIFETIME if session["stay"] else LIFETIME
        change = "update session set expires_at = min(?, ends_at) where credential = ?"
        with transaction() as db:
            db.execute(change, [now() + idle, digest(credential)])
    return session and find_session(credential)


def end_session(credential):
    with transaction() as db:
        db.execute("delete from session where credential = ?", [digest(credential)])


class Handler(BaseHTTPRequestHandler):
    """Answers the calls of one connection.

    Each call is a function from the body to status, body and headers of the answer.
    """

    protocol_version = "HTTP/1.1"
    timeout = 30  # seconds until an idle connection is closed
    disable_nagle_algorithm = True

    def answer(self):
        try:
            body = self.read_body()
            self.reply(*self.find_call()(self, body))
        except CallError as error:
            self.reply(error.body["status"], error.body, error.headers)

    do_GET = do_HEAD = do_OPTIONS = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def read_body(self):
        length = int(self.headers.get("Content-Length", "0"))
        if length > MAX_BODY:
            self.close_connection = True
            raise CallError(413, "PAYLOAD_TOO_LARGE", "the body is too large")
        return self.rfile.read(length)

    def find_call(self):
        calls = CALLS.get(urlsplit(self.path).path)
        if not calls:
            raise CallError(404, "NOT_FOUND", "there is no such call")
        methods = [*calls, *(["HEAD"] if "GET" in calls else []), "OPTIONS"]
        allow = [("Allow", ", ".join(methods))]
        if self.command == "OPTIONS":
            return lambda *_: (204, None, allow)
        if self.command not in methods:
            raise CallError(405, "METHOD_NOT_ALLOWED", "a wrong method", allow)
        return calls["GET" if self.command == "HEAD" else self.command]

    def require_same_origin(self):
        """Refuses a call unless a page of the shop makes it."""
        source = self.headers.get("Sec-Fetch-Site")
        origin = urlsplit(self.headers.get("Origin", "")).netloc
        host = self.headers.get("X-Forwarded-Host", self.headers.get("Host"))
        is_own = source == "same-origin" if source else origin == host
        if not is_own or not self.headers.get("X-hunter-csrf", "").strip():
            raise CallError(403, "FORBIDDEN", "no page of the shop makes this call")

    def reply(self, status, body=None, headers=()):
        content = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if content:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_request(self, *_):
        """Logs nothing: paths may hold tokens and addresses."""

    def credential(self):
        """Returns the credential of the browser's cookies; empty if there is none."""
        pairs = self.headers.get("Cookie", "").split(";")
        cookies = dict(pair.strip().partition("=")[::2] for pair in pairs)
        return cookies.get("login") or cookies.get("LongtermToken", "")

    def cookies(self, credential, session):
        """Returns the headers that set the cookies of a session; None removes them."""
        values = {"LoginToken": "", "login": "", "LongtermToken": ""}
        if session:
            end = session["expires_at"]
            renewal = end if end == session["ends_at"] else now() + RENEW_AFTER
            clock = {"exp": end, "ren": renewal}
            if session["stay"]:
                clock["lid"] = session["credential"][:16]
                values["LongtermToken"] = credential
            values |= {"LoginToken": write_token(clock), "login": credential}
        for name, value in values.items():
            parts = [f"{name}={value}", "Path=/", "SameSite=Lax"]
            if name != "LoginToken":
                parts.append("HttpOnly")
            if self.headers.get("X-Forwarded-Proto") == "https":
                parts.append("Secure")
            if not value:
                parts.append("Max-Age=0")
            elif session["stay"]:
                parts.append(f"Max-Age={end - now()}")
            yield "Set-Cookie", "; ".join(parts)

    def log_in(self, body):
        self.require_same_origin()
        email, password, stay = read_login(body)
        wait = count_attempt(email)
        if wait:
            retry = [("Retry-After", str(wait))]
            raise CallError(429, "RATE_LIMITED", "too many attempts", retry)
        if not is_right(password, CUSTOMERS.get(email, NOBODY)["password"]):
            raise CallError(401, "UNAUTHORIZED", "the address or the password is wrong")
        end_session(self.credential())
        credential = secrets.token_urlsafe(32)
        start_session(credential, email, stay)
        cookies = self.cookies(credential, extend_session(credential))
        return 200, {"status": "SUCCESS"}, cookies

    def renew(self, _body):
        self.require_same_origin()
        credential = self.credential()
        session = extend_session(credential)
        cookies = self.cookies(credential, session)
        if not session:
            raise CallError(401, "UNAUTHORIZED", "nobody is logged in", cookies)
        if session["expires_at"] == session["ends_at"]:
            return 200, {"status": "LAST"}, cookies
        return 201, {"status": "RENEWED"}, cookies

    def renew_longterm(self, _body):
        self.require_same_origin()
        credential = self.credential()
        return 204, None, self.cookies(credential, extend_session(credential))

    def log_out(self, _body):
        self.require_same_origin()
        end_session(self.credential())
        headers = [("Clear-Site-Data", '"cache"'), *self.cookies("", None)]
        return 204, None, headers

    def session(self):
        """Finds the session by the credential that the storefront passes on."""
        return find_session(self.headers.get("X-Login-Token", ""))

    def customer(self):
        session = self.session()
        if not session or session["email"] not in CUSTOMERS:
            raise CallError(401, "UNAUTHORIZED", "nobody is logged in")
        return CUSTOMERS[session["email"]]

    def base_data(self, _body):
        customer = self.customer()
        return 200, {name: customer[name] for name in customer if name != "password"}

    def newsletter_status(self, _body):
        """Asks the newsletter service."""
        query = parse_qs(urlsplit(self.path).query)
        site = query.get("site", [self.headers.get("X-Site")])[0]
        query = urlencode({"site": site, "email": self.customer()["email"]})
        try:
            with urlopen(f"{NEWSLETTER_URL}/status?{query}", timeout=5) as answer:
                return 200, json.load(answer)
        except OSError:
            raise CallError(503, "UNAVAILABLE", "the newsletter has failed") from None

    def known_email(self, _body):
        session = self.session()
        return 200, {"email": session["email"]} if session else {}


def read_login(body):
    """Returns address, password, and whether the customer wants to stay logged in."""
    try:
        fields = json.loads(body)
        email, password = fields["email"].strip().lower(), fields["password"]
        (email + password).encode()  # JSON may hold halves of characters
        return email, password, fields.get("stayLoggedIn") is True
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        title = "the address or the password is missing"
        raise CallError(400, "INVALID_REQUEST", title) from None


API = "/service/login/api/v1"
CUSTOMER_API = "/service/newsletter/api/private/customers"
CALLS = {
    f"{API}/login": {"POST": Handler.log_in},
    f"{API}/logintoken/renew": {"POST": Handler.renew},
    f"{API}/longtermtoken/renew": {"POST": Handler.renew_longterm},
    f"{API}/logout": {"POST": Handler.log_out},
    f"{CUSTOMER_API}/base-data": {"GET": Handler.base_data},
    f"{CUSTOMER_API}/newsletter-status": {"GET": Handler.newsletter_status},
    "/service/customerfrontenddata/api/v1/psdata": {"GET": Handler.known_email},
}


class Server(ThreadingHTTPServer):
    request_queue_size = 128


def main():
    if sys.argv[1:] == ["hash"]:
        print(json.dumps(hash_password(getpass.getpass())))
        return
    with closing(sqlite3.connect(DATABASE)) as db:
        db.executescript(TABLES)
    server = Server(("127.0.0.1", PORT), Handler)
    print(f"login and customer service at http://127.0.0.1:{PORT}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
