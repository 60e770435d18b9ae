import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { findFreePort } from "../../support/find-free-port.ts";
import { startProcess, stopProcesses } from "../../support/start-process.ts";

const opsPort = await findFreePort();
const service = startProcess({
  OPS_PORT: String(opsPort),
  TRUST_PROXY: "127.0.0.1",
  ALLOWED_HOSTS: "storefront_fragments",
});
const port = await service.port;
afterAll(stopProcesses);

/** Returns the answer to lines that no client would send. */
async function answerTo(at: number, lines: string[]): Promise<string> {
  const socket = connect(at, "127.0.0.1");
  await once(socket, "connect");
  socket.write([...lines, "", ""].join("\r\n"));
  return text(socket);
}

/** Opens a connection that gets an answer, and then stays idle until the service closes it. */
async function openIdle(): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET /livez HTTP/1.1\r\n${host}\r\n\r\n`);
  await once(socket, "data");
}

/** Returns the status of that answer, after which the service closes the connection. */
async function statusOf(at: number, lines: string[]): Promise<number> {
  const answer = await answerTo(at, [...lines, "Connection: close"]);
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
}

/** The paths that are requested of each listener. */
const asked: [number, string][] = [
  [port, "/livez"],
  [port, "/fragments/footer?site=DE"],
  [port, "/login"],
  [port, "/nowhere"],
  [opsPort, "/metrics"],
];

const host = "Host: de.localhost";

it.each([
  [host, host],
  ["Host: de.localhost:99999"],
  ["Host: visitor@de.localhost"],
  ["Host: 192.0.2.256"],
  ["Host: de%2elocalhost"],
])("refuses a request that doesn't name one host: %s", async (...lines) => {
  for (const [at, path] of asked)
    for (const version of ["1.0", "1.1"])
      expect(await statusOf(at, [`GET ${path} HTTP/${version}`, ...lines]), `${path} ${version}`).toBe(400);
});

it("refuses a request that names no host, unless it is HTTP/1.0, which proxies speak", async () => {
  for (const [at, path] of asked) {
    expect(await statusOf(at, [`GET ${path} HTTP/1.1`]), path).toBe(400);
    expect(await statusOf(at, [`GET ${path} HTTP/1.0`]), path).toBe(path === "/nowhere" ? 404 : 200);
  }
});

it.each(["DE.localhost:3000", "localhost:", "127.0.0.1:80", "[::1]:3000", "storefront_fragments:3000"])(
  "accepts a host in any form: %s",
  async (name) => {
    for (const [at, path] of asked)
      expect(await statusOf(at, [`GET ${path} HTTP/1.1`, `Host: ${name}`]), path).toBe(path === "/nowhere" ? 404 : 200);
  },
);

it.each([
  ["GET /livez"],
  ["GET /livez HTTP/2.0", host],
  ["GET http://tr.localhost/livez HTTP/1.1", host],
  ["GET http://visitor@de.localhost/livez HTTP/1.1", host],
  ["GET http://de.localhost/livez HTTP/1.0"],
  ["POST /view HTTP/1.0", host, "Transfer-Encoding: chunked", "", "0"],
  ["POST /view HTTP/1.1", host, "Transfer-Encoding: gzip, chunked", "", "0"],
])(
  "refuses what is no request of HTTP/1.0 or 1.1 on both listeners, and closes the connection: %s",
  async (...lines) => {
    for (const at of [port, opsPort])
      expect(await answerTo(at, lines)).toMatch(/^HTTP\/1\.1 400 .*\r\nConnection: close/s);
  },
);

it.each(["http://de.localhost", "HTTP://DE.localhost/livez?a=1", "https://de.localhost/livez"])(
  "accepts a whole address of the requested host: %s",
  async (target) => expect(await statusOf(port, [`GET ${target} HTTP/1.1`, host])).toBe(200),
);

it("accepts a body in chunks", async () => {
  const lines = [
    host,
    "Transfer-Encoding: Chunked",
    "Content-Type: application/x-www-form-urlencoded",
    "Connection: close",
  ];
  const answer = await answerTo(port, ["POST /view HTTP/1.1", ...lines, "", "b", "view=mobile", "0"]);
  expect(answer).toMatch(/^HTTP\/1\.1 303 /);
});

it("keeps room for others when a client leaves thousands of connections idle", async () => {
  for (let i = 0; i < 9; i++) await Promise.all(Array.from({ length: 500 }, openIdle));
  expect(await statusOf(port, ["GET /livez HTTP/1.1", host])).toBe(200);
});
