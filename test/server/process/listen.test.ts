import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { findFreePort } from "../../support/find-free-port.ts";
import { startProcess, stopProcesses } from "../../support/start-process.ts";

const opsPort = await findFreePort();
const service = startProcess({ OPS_PORT: String(opsPort), TRUST_PROXY: "127.0.0.1" });
const port = await service.port;
afterAll(stopProcesses);

/** Gives the answer to lines that no client would send. */
async function answerTo(at: number, lines: string[]): Promise<string> {
  const socket = connect(at, "127.0.0.1");
  await once(socket, "connect");
  socket.write([...lines, "", ""].join("\r\n"));
  return text(socket);
}

/** Gives the status of that answer, after which the connection is to be closed. */
async function statusOf(at: number, lines: string[]): Promise<number> {
  const answer = await answerTo(at, [...lines, "Connection: close"]);
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
}

/** What is asked of each listener. */
const asked: [number, string][] = [
  [port, "/livez"],
  [port, "/fragments/footer?site=DE"],
  [port, "/login"],
  [port, "/nowhere"],
  [opsPort, "/metrics"],
];

const refused = [
  ["Host: de.localhost", "Host: tr.localhost"],
  ["Host: de.localhost", "Host: de.localhost"],
  ["Host: de.localhost, tr.localhost"],
  ["Host:"],
  ["Host: :80"],
  ["Host: de localhost"],
  ["Host: de.localhost:port"],
  ["Host: de.localhost:99999"],
  ["Host: de.localhost:80:80"],
  ["Host: http://de.localhost"],
  ["Host: de.localhost/login"],
  ["Host: de.localhost?"],
  ["Host: visitor@de.localhost"],
  ["Host: de.localhost\\"],
  ["Host: [::1"],
  ["Host: ::1"],
  ["Host: 192.0.2.256"],
  ["Host: d\u00e9.localhost"],
  ["Host: de%2elocalhost"],
];
const titled = refused.map((lines) => ({ lines, title: lines.join(" and ") }));

it.each(titled)("a request is refused that doesn't name one host: $title", async ({ lines }) => {
  for (const [at, path] of asked) {
    for (const version of ["1.0", "1.1"])
      expect(await statusOf(at, [`GET ${path} HTTP/${version}`, ...lines]), `${path} ${version}`).toBe(400);
  }
});

it("a request is refused that names no host, unless it is of HTTP/1.0, which proxies speak", async () => {
  for (const [at, path] of asked) {
    expect(await statusOf(at, [`GET ${path} HTTP/1.1`]), path).toBe(400);
    expect(await statusOf(at, [`GET ${path} HTTP/1.0`]), path).toBe(path === "/nowhere" ? 404 : 200);
  }
});

it.each(["de.localhost", "DE.localhost:3000", "localhost:", "127.0.0.1:80", "[::1]:3000", "storefront_fragments:3000"])(
  "a request may name any host: %s",
  async (host) => {
    for (const [at, path] of asked)
      expect(await statusOf(at, [`GET ${path} HTTP/1.1`, `Host: ${host}`]), path).toBe(path === "/nowhere" ? 404 : 200);
  },
);

const host = "Host: de.localhost";
const chunks = ["", "0"];
const malformed: string[][] = [
  ...["HTTP/0.9", "HTTP/1.2", "HTTP/1.10", "HTTP/2.0", "HTTP/3.0"].map((version) => [`GET /livez ${version}`, host]),
  ["GET /livez HTTP/0.9"],
  ["GET /livez"],
  ...["/livez#top", "/livez?a=1#top", "#top", "livez", "*", "http://de.localhost/livez#top"].map((target) => [
    `GET ${target} HTTP/1.1`,
    host,
  ]),
  ...[
    "http://tr.localhost/livez",
    "http://visitor@de.localhost/livez",
    "ftp://de.localhost/livez",
    "http:///livez",
  ].map((target) => [`GET ${target} HTTP/1.1`, host]),
  ["GET http://de.localhost/livez HTTP/1.0"],
  ...["identity, chunked", "gzip, chunked", "cow, chunked", "chunked, chunked", "identity", "chunked;q=1", ""].map(
    (coding) => ["POST /view HTTP/1.1", host, `Transfer-Encoding: ${coding}`, ...chunks],
  ),
  ["POST /view HTTP/1.1", host, "Transfer-Encoding: chunked", "Transfer-Encoding: chunked", ...chunks],
  ["POST /view HTTP/1.1", host, "Transfer-Encoding: chunked", "Content-Length: 5", ...chunks],
  ["POST /view HTTP/1.0", host, "Transfer-Encoding: chunked", ...chunks],
];

it.each(malformed.map((lines) => ({ lines, title: lines.join(" | ") })))(
  "what is no request of HTTP/1.0 or 1.1 is refused, and its connection closed: $title",
  async ({ lines }) => {
    for (const at of [port, opsPort])
      expect(await answerTo(at, lines)).toMatch(/^HTTP\/1\.1 400 .*\r\nConnection: close/s);
  },
);

it.each(["http://de.localhost/livez", "HTTP://DE.localhost/livez?a=1", "https://de.localhost/livez"])(
  "a whole address of the host that is asked is as good as its path: %s",
  async (target) => {
    expect(await statusOf(port, [`GET ${target} HTTP/1.1`, host])).toBe(200);
    expect(await statusOf(port, ["GET http://de.localhost HTTP/1.1", host])).toBe(200);
  },
);

it("a body may come in chunks", async () => {
  const lines = [
    host,
    "Transfer-Encoding: Chunked",
    "Content-Type: application/x-www-form-urlencoded",
    "Connection: close",
  ];
  const answer = await answerTo(port, ["POST /view HTTP/1.1", ...lines, "", "b", "view=mobile", "0"]);
  expect(answer).toMatch(/^HTTP\/1\.1 303 /);
});
