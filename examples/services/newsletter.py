#!/usr/bin/env python3
"""A newsletter service of a shop, with Python's standard library alone.

    python3 newsletter.py    answers the calls at http://127.0.0.1:8082

Variables: PORT, DATABASE (newsletter.sqlite), MAIL_FROM, and SITE_ORIGIN_<SITE> of each
site, such as SITE_ORIGIN_AT=http://at.localhost:3000. Mails go to the server SMTP_HOST,
else each becomes a file in MAIL_FOLDER (outbox).
"""

import hashlib
import json
import os
import re
import secrets
import smtplib
import sqlite3
import time
from contextlib import closing, contextmanager
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import localtime, make_msgid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

PORT = int(os.environ.get("PORT", "8082"))
DATABASE = os.environ.get("DATABASE", "newsletter.sqlite")
MAIL_FROM = os.environ.get("MAIL_FROM", "newsletter@example.com")
MAIL_FOLDER = Path(os.environ.get("MAIL_FOLDER", "outbox"))
SMTP_HOST = os.environ.get("SMTP_HOST")
PREFIX = "SITE_ORIGIN_"
ORIGINS = {
    name.removeprefix(PREFIX): origin
    for name, origin in os.environ.items()
    if name.startswith(PREFIX)
}

MINUTE, HOUR, DAY = 60, 3600, 86400
CONFIRM_WITHIN = 7 * DAY
# A mailbox gets no second question within this time.
PAUSE = 10 * MINUTE
MAX_SIGN_UPS, SIGN_UPS_PERIOD = 20, HOUR  # of one network address
MAX_BODY = 4096  # bytes

INTERNAL = "/service/newsletter/api/internal/newsletter-subscribers"
SUBSCRIBERS = INTERNAL.replace("internal", "(?:internal|private)")
TOKEN = r"/(?P<token>[\w-]+)"

ATOM = r"[\w!#$%&'*+/=?^`{|}~-]+"
EMAIL = re.compile(rf"{ATOM}(\.{ATOM})*@([a-z\d-]+\.)+[a-z][a-z\d-]+", re.ASCII)
NAME = re.compile(r"(?:[^\W_]|[\s+&'`´,()/.-]){0,40}")
WEB_ADDRESS = re.compile(r"\w\.\w\w|//|www\.", re.IGNORECASE)

CATEGORIES = """
WOMEN_FASHION MEN_FASHION SPORT LIVING_FURNITURE HOBBY KIDS KITCHEN SLEEPING DISCOUNTS
COFFEE MOBILE CARD STORE
""".split()

TABLES = """
create table if not exists subscription (
  site text, email text, status text, fields text, -- JSON
  asked_at integer, -- when the mail that asks for confirmation was sent
  primary key (site, email)
);
create table if not exists link (token text primary key /* its hash */, site, email);
create table if not exists sign_up (address text, at integer);
"""

CONFIRM_MAIL = """Please confirm that you want our newsletter:
{origin}/newsletter/confirm?token={token}

Was it somebody else who entered your address? Then tell us:
{origin}/newsletter/refuse?token={token}
"""
WELCOME_MAIL = """You have subscribed to our newsletter. Change what you get, or unsubscribe:
{origin}/newsletter/preferences?token={token}
"""


class CallError(Exception):
    """Ends a call with an error."""

    def __init__(self, status, kind, title, headers=(), fields=()):
        super().__init__(title)
        self.body = {"type": kind, "title": title, "status": status}
        if fields:
            self.body["errors"] = [{"field": one, "message": title} for one in fields]
        self.headers = headers


def now():
    return int(time.time())


def digest(token):
    """Hashes a token, so that a reader of the database can't use it."""
    return hashlib.sha256(token.encode()).hexdigest()


@contextmanager
def transaction():
    """Opens the database, and keeps the changes unless an error is raised."""
    with closing(sqlite3.connect(DATABASE, isolation_level=None)) as db:
        db.row_factory = sqlite3.Row
        db.execute("begin immediate")
        yield db
        db.execute("commit")


def count_sign_up(address):
    """Counts a sign-up. Returns how many seconds to wait instead, or 0."""
    with transaction() as db:
        db.execute("delete from sign_up where at <= ?", [now() - SIGN_UPS_PERIOD])
        query = "select count(*), min(at) from sign_up where address = ?"
        count, first = db.execute(query, [address]).fetchone()
        if count >= MAX_SIGN_UPS:
            return first + SIGN_UPS_PERIOD - now()
        db.execute("insert into sign_up values (?, ?)", [address, now()])
    return 0


def find_by_link(db, token):
    """Finds the subscription to which the token of a mail belongs."""
    query = "select * from subscription join link using (site, email) where token = ?"
    row = db.execute(query, [digest(token)]).fetchone()
    if not row:
        raise CallError(404, "INVALID_TOKEN", "the link isn't valid")
    return row


def find_subscription(db, site, email):
    query = "select * from subscription where site = ? and email = ?"
    return db.execute(query, [site, email]).fetchone()


def status_of(subscription):
    if not subscription:
        return "NONE"
    status, asked_at = subscription["status"], subscription["asked_at"]
    is_overdue = status == "WAITING_FOR_DOI" and asked_at <= now() - CONFIRM_WITHIN
    return "NONE" if is_overdue else status


def change_subscription(db, subscription, **columns):
    for name, value in columns.items():
        statement = f"update subscription set {name} = ? where site = ? and email = ?"
        db.execute(statement, [value, subscription["site"], subscription["email"]])


def send_mail(site, email, subject, text, token):
    origin = ORIGINS[site]
    # In shorter lines, Python would encode the address of List-Unsubscribe.
    mail = EmailMessage(policy=SMTP.clone(max_line_length=998))
    mail["From"], mail["To"], mail["Subject"] = MAIL_FROM, email, subject
    mail["Date"], mail["Message-ID"] = localtime(), make_msgid()
    mail["List-Unsubscribe"] = f"<{origin}{INTERNAL}/{token}/unsubscribe>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content(text.format(origin=origin, token=token))
    if not SMTP_HOST:
        MAIL_FOLDER.mkdir(exist_ok=True)
        (MAIL_FOLDER / f"{time.time_ns()}.eml").write_bytes(mail.as_bytes())
        return
    try:
        with smtplib.SMTP(SMTP_HOST, timeout=10) as server:
            server.send_message(mail)
    except (OSError, smtplib.SMTPException):
        raise CallError(503, "UNAVAILABLE", "the mail can't be sent") from None


def read_fields(body):
    try:
        fields = json.loads(body)
        json.dumps(fields, ensure_ascii=False).encode()  # no halves of characters
    except (RecursionError, ValueError):
        fields = None
    if not isinstance(fields, dict):
        raise CallError(400, "INVALID_REQUEST", "the body isn't a JSON object")
    return fields


def read_email(fields):
    """Returns the address with the domain in its ASCII form."""
    local, _, domain = str(fields.get("email", "")).strip().lower().rpartition("@")
    try:
        email = f"{local}@{domain.encode('idna').decode()}"
    except ValueError:
        email = ""
    if len(email) > 256 or not EMAIL.fullmatch(email):
        raise CallError(400, "INVALID_EMAIL", "this is no address", fields=["email"])
    return email


def is_name(value):
    is_text = isinstance(value, str) and NAME.fullmatch(value)
    return is_text and not WEB_ADDRESS.search(value)


def is_list_of(known):
    return lambda value: isinstance(value, list) and all(one in known for one in value)


PERSONAL = {
    "salutation": lambda value: value in ["MR", "MRS", "COMPANY", "DIVERS", None],
    "firstName": is_name,
    "lastName": is_name,
    "consents": is_list_of(["DNE", "NEWSLETTER"]),
    "categories": is_list_of(CATEGORIES),
}


def read_personal(fields):
    personal = {name: fields[name] for name in PERSONAL if name in fields}
    wrong = [name for name, value in personal.items() if not PERSONAL[name](value)]
    if wrong:
        raise CallError(400, "INVALID_REQUEST", "this isn't allowed", fields=wrong)
    return personal


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
            call, parameters = self.find_call()
            self.reply(*call(self, body, **parameters))
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
        """Returns the function that answers, and what it takes from the path."""
        path = urlsplit(self.path).path
        for pattern, calls in CALLS.items():
            match = re.fullmatch(pattern, path)
            if match:
                return self.choose_call(calls), match.groupdict()
        raise CallError(404, "NOT_FOUND", "there is no such call")

    def choose_call(self, calls):
        methods = [*calls, *(["HEAD"] if "GET" in calls else []), "OPTIONS"]
        allow = [("Allow", ", ".join(methods))]
        if self.command == "OPTIONS":
            return lambda *_, **__: (204, None, allow)
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

    def site(self):
        query = parse_qs(urlsplit(self.path).query)
        site = query.get("site", [self.headers.get("X-Site")])[0]
        if site not in ORIGINS:
            raise CallError(400, "INVALID_REQUEST", "unknown site", fields=["site"])
        return site

    def sign_up(self, body):
        """Asks a mailbox for confirmation. The answer doesn't say if it is known."""
        self.require_same_origin()
        site, fields = self.site(), read_fields(body)
        email, personal = read_email(fields), json.dumps(read_personal(fields))
        caller = self.headers.get("X-Original-Address", self.client_address[0])
        wait = count_sign_up(caller)
        if wait:
            retry = [("Retry-After", str(wait))]
            raise CallError(429, "RATE_LIMITED", "too many sign-ups", retry)
        with transaction() as db:
            known = find_subscription(db, site, email)
            status = status_of(known)
            is_asked = status == "WAITING_FOR_DOI" and known["asked_at"] > now() - PAUSE
            if status != "SUBSCRIBED" and not is_asked:
                token = secrets.token_urlsafe(32)
                row = [site, email, "WAITING_FOR_DOI", personal, now()]
                db.execute("replace into subscription values (?, ?, ?, ?, ?)", row)
                row = [digest(token), site, email]
                db.execute("insert into link values (?, ?, ?)", row)
                send_mail(site, email, "Your newsletter", CONFIRM_MAIL, token)
        return 202, {"status": "ACCEPTED"}

    def read(self, _body, token):
        with transaction() as db:
            subscription = find_by_link(db, token)
        status, site = status_of(subscription), subscription["site"]
        consents = json.loads(subscription["fields"]).get("consents", [])
        return 200, {"status": status, "site": site, "consents": consents}

    def preferences(self, _body, token):
        """Tells the subscriber's page what the subscriber has chosen."""
        with transaction() as db:
            subscription = find_by_link(db, token)
        status = status_of(subscription)
        if status == "NONE":
            raise CallError(404, "INVALID_TOKEN", "the link isn't valid")
        fields = json.loads(subscription["fields"])
        return 200, {"status": status, "site": subscription["site"], **fields}

    def confirm(self, _body, token):
        self.require_same_origin()
        with transaction() as db:
            subscription = find_by_link(db, token)
            status = status_of(subscription)
            if status == "NONE":
                raise CallError(410, "TOKEN_EXPIRED", "the link is too old")
            if status == "UNSUBSCRIBED":
                raise CallError(404, "INVALID_TOKEN", "the link isn't valid")
            if status == "WAITING_FOR_DOI":
                change_subscription(db, subscription, status="SUBSCRIBED")
                site, email = subscription["site"], subscription["email"]
                send_mail(site, email, "Welcome", WELCOME_MAIL, token)
        return 200, {"status": "SUBSCRIBED"}

    def change(self, body, token):
        self.require_same_origin()
        changed = read_personal(read_fields(body))
        if not changed:
            raise CallError(400, "INVALID_REQUEST", "no field is changed")
        with transaction() as db:
            subscription = find_by_link(db, token)
            if status_of(subscription) not in ["WAITING_FOR_DOI", "SUBSCRIBED"]:
                raise CallError(404, "INVALID_TOKEN", "the link isn't valid")
            fields = json.loads(subscription["fields"]) | changed
            change_subscription(db, subscription, fields=json.dumps(fields))
        return 200, changed

    def unsubscribe(self, _body, token):
        """Mail programs make this call, and no page: RFC 8058."""
        with transaction() as db:
            subscription = find_by_link(db, token)
            change_subscription(db, subscription, status="UNSUBSCRIBED", fields="{}")
        return 200, {"status": "UNSUBSCRIBED"}

    def opened(self, _body, token):
        """Takes the report of the program that sends the newsletter, and ignores it."""
        with transaction() as db:
            if status_of(find_by_link(db, token)) != "SUBSCRIBED":
                raise CallError(404, "INVALID_TOKEN", "nobody has subscribed by it")
        return 200, {"status": "OPENED"}

    def status(self, _body):
        """Answers login.py: the storefront forwards only calls below /service."""
        [email] = parse_qs(urlsplit(self.path).query)["email"]
        with transaction() as db:
            subscription = find_subscription(db, self.site(), email)
        return 200, {"status": status_of(subscription)}


CALLS = {
    SUBSCRIBERS: {"POST": Handler.sign_up},
    SUBSCRIBERS + TOKEN: {"GET": Handler.read, "PUT": Handler.change},
    SUBSCRIBERS + TOKEN + "/preferences": {"GET": Handler.preferences},
    SUBSCRIBERS + TOKEN + "/doi": {"PUT": Handler.confirm},
    SUBSCRIBERS + TOKEN + "/unsubscribe": {"POST": Handler.unsubscribe},
    SUBSCRIBERS + TOKEN + "/opened": {"POST": Handler.opened},
    "/status": {"GET": Handler.status},
}


class Server(ThreadingHTTPServer):
    request_queue_size = 128


if __name__ == "__main__":
    with closing(sqlite3.connect(DATABASE)) as db:
        db.executescript(TABLES)
    server = Server(("127.0.0.1", PORT), Handler)
    print(f"newsletter service at http://127.0.0.1:{PORT}", flush=True)
    server.serve_forever()
