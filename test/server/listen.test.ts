import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { findFreePort } from "../support/find-free-port.ts";
import { startProcess, stopProcesses } from "../support/start-process.ts";

const opsPort = await findFreePort();
const service = startProcess({ OPS_PORT: String(opsPort), TRUST_PROXY: "127.0.0.1" });
const port = await service.port;
afterAll(stopProcesses);

/** Gives the status of an answer to lines that no client would send. */
async function statusOf(at: number, lines: string[]): Promise<number> {
  const socket = connect(at, "127.0.0.1");
  await once(socket, "connect");
  socket.write([...lines, "Connection: close", "", ""].join("\r\n"));
  const answer = await text(socket);
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
