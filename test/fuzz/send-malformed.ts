import { connect } from "node:net";
import fc from "fast-check";
import { second } from "../../client/rules/time.ts";
import { atLeast, none, type Proof } from "../faults/proof.ts";
import { startReplica } from "../support/start-process.ts";

const atOnce = 30;
/** How long a connection that stays open may still bring a second answer. */
const silence = second / 4;

export const sendMalformed: Proof = {
  name: "malformed requests",
  does: "Writes requests to raw sockets that HTTP/1.1 doesn't allow, or that programs read in different ways.",
  async run({ seed }) {
    const service = await startReplica();
    const corpus = malformedRequests(seed);
    const accepted: string[] = [];
    const doubled: string[] = [];
    const queue = corpus.values();
    const work = async () => {
      for (const request of queue) {
        const statuses = await answersTo(service.port, request);
        const line = `${statuses} to ${JSON.stringify(request.slice(0, 200))}`;
        if (statuses.some((status) => status < 400)) accepted.push(line);
        if (statuses.length > 1) doubled.push(line);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const isReady = await service.isReady();
    await service.kill();
    return [
      atLeast("requests", corpus.length, 300),
      none("accepted", accepted),
      none("with a second answer", doubled),
      none("services that aren't ready afterwards", isReady ? [] : ["it"]),
    ];
  },
};

/** Returns the statuses of all answers until the connection ends or falls silent. */
function answersTo(port: number, request: string): Promise<number[]> {
  const { promise, resolve } = Promise.withResolvers<number[]>();
  let answer = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(request, "latin1"));
  socket.setEncoding("latin1").setTimeout(second);
  socket.on("data", (bytes) => {
    answer += bytes;
    socket.setTimeout(silence);
  });
  socket.on("timeout", () => socket.destroy());
  socket.on("error", () => undefined);
  socket.on("close", () => resolve([...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))));
  return promise;
}

const host = "Host: de.localhost";
const targets = ["/fragments/footer/DE", "/login", "/livez"];
const smuggled = `GET /fragments/footer/AT HTTP/1.1\r\n${host}\r\n\r\n`;
const signUp = JSON.stringify({ email: "ada@shop.example", consents: ["NEWSLETTER"], origin: "NEWSLETTER" });

/** Writes a valid request, except for the parts that are given. */
function get(target: string, lines: readonly string[] = [], start = `GET ${target} HTTP/1.1`, named = host): string {
  return `${[start, named, ...lines].join("\r\n")}\r\n\r\n`;
}

const wrongStarts = [
  ...["GET {}", "GET {} HTTP/0.9", "GET {} HTTP/2.0", "GET {} HTTP/1.10", "GET {} http/1.1", "GET {} HTTP/1.1 x"],
  ...["get {} HTTP/1.1", "FOO {} HTTP/1.1", "G\0T {} HTTP/1.1", " GET {} HTTP/1.1", "{} HTTP/1.1", "GET HTTP/1.1"],
  ...["GET\t{} HTTP/1.1", "GET {}\tHTTP/1.1", "GET {}#top HTTP/1.1", "GET {}? x HTTP/1.1", "GET {}\0 HTTP/1.1"],
  ...["GET {}\x7f HTTP/1.1", "GET .{} HTTP/1.1", "GET shop{} HTTP/1.1", "GET * HTTP/1.1", "CONNECT {} HTTP/1.1"],
  ...["GET shop.example:80 HTTP/1.1", `GET {}?${"a".repeat(20_000)} HTTP/1.1`, "GET {} HTTP/1.1\rX: 1"],
];

const wrongHosts = [
  ...["", "X: 1", `${host}\r\n${host}`, `${host}\r\nHost: at.localhost`, `${host}\r\nhOsT: x`, "Host: a b"],
  ...["Host: a,b", "Host: a/b", "Host: a@b", "Host: a?b", "Host: a#b", "Host: a\\b", "Host: [::1", "Host: a:b:c"],
  ...["Host: a:99999", "Host: a:-1", "Host: a:port", "Host: <a>", 'Host: "a"', "Host: a%00b", "Host: http://a"],
  ...["Host: a;b", "Host: é", "Host : a", " Host: a", "Host:\r\n a", "Host: a\0b", "Host: a\rb", "Host: [a]"],
  ...["Host: a|b", "Host: a^b"],
];

const wrongHeaders = [
  ...["X: a\r\n b", "X : 1", ": 1", "X", "X Y: 1", "X(: 1", "X\0: 1", "X: \0", "X: a\rb", "X: \x7f", "X\x80: 1"],
  ...["X: 1\n\nY: 2", "X=1", `X: ${"a".repeat(17_000)}`, `${"X".repeat(17_000)}: 1`, "Transfer-Encoding: gzip"],
  ...["-1", "+5", "5 5", "5, 5", "0x5", "5.0", "99999999999999999999", "", "5\r\nContent-Length: 6", "five"].map(
    (length) => `Content-Length: ${length}`,
  ),
];

/** One program could read each as chunked, and the next as something else. */
const wrongCodings = [
  ...["identity, chunked", "gzip, chunked", "cow, chunked", "chunked, chunked", "chunked, identity", "chunked x"],
  ...["xchunked", "chunked;q=1", '"chunked"', "\x0bchunked", "chunked\0", "chunked,", "identity", "chu\rnked"],
  ...["chunked\r\nTransfer-Encoding: cow", "cow\r\nTransfer-Encoding: chunked", "chunked\r\n\t, identity"],
];

const wrongChunks = [
  ...["x\r\n{}\r\n0\r\n\r\n", "0x{n}\r\n{}\r\n0\r\n\r\n", "-1\r\n{}\r\n0\r\n\r\n", "{n}\r\n{}0\r\n\r\n"],
  ...["{n}\n{}\n0\n\n", "FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n", "{n};a\nb\r\n{}\r\n0\r\n\r\n"],
  "{n}\r\n{}\r\n0\r\nX : 1\r\n\r\n",
];

/**
 * Requests that HTTP/1.1 doesn't allow, or that programs interpret differently, as sent over the wire. Superfluous
 * spaces and empty list members aren't among them: RFC 9112, 3, and RFC 9110, 5.6.1.2, allow these.
 */
function malformedRequests(seed: number): string[] {
  const gets = targets.flatMap((target) => [
    ...wrongStarts.map((start) => get(target, [], start.replace("{}", target))),
    ...wrongHosts.map((named) => get(target, ["X: 1"], undefined, named)),
    ...wrongHeaders.map((line) => get(target, [line])),
    `GET ${target} HTTP/1.1\n${host}\n\n`,
    `GET ${target} HTTP/1.1\r\n${host}\n\r\n`,
  ]);
  const path = "/service/newsletter/api/internal/newsletter-subscribers";
  const lines = ["Content-Type: application/json", "X-hunter-csrf: 1", "Sec-Fetch-Site: same-origin"];
  const post = (headers: readonly string[], body: string) =>
    get(path, [...lines, ...headers], `POST ${path} HTTP/1.1`) + body;
  const size = signUp.length.toString(16);
  const chunked = `${size}\r\n${signUp}\r\n0\r\n\r\n`;
  const posts = [
    ...wrongCodings.map((coding) => post([`Transfer-Encoding: ${coding}`], chunked + smuggled)),
    ...wrongCodings.map((coding) =>
      post([`Content-Length: ${chunked.length}`, `Transfer-Encoding: ${coding}`], chunked + smuggled),
    ),
    ...wrongChunks.map((body) =>
      post(["Transfer-Encoding: chunked"], body.replaceAll("{n}", size).replace("{}", signUp)),
    ),
    post([`Content-Length: ${chunked.length}`, "Transfer-Encoding: chunked"], chunked + smuggled),
    post(["Transfer-Encoding: chunked", "Content-Length: 0"], chunked + smuggled),
    post([`Content-Length: ${signUp.length}`, "Content-Length: 0"], signUp + smuggled),
    post([`Content-Length : ${signUp.length}`], signUp + smuggled),
    post(["X: a\r\n Content-Length: 0", `Content-Length: ${signUp.length}`], signUp),
  ];
  const noise = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 400 }), { seed, numRuns: 20 });
  const strangers = [
    ...["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "SSH-2.0-OpenSSH_9.9\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ...["\0\0\0\0", "EHLO shop.example\r\n", "{}\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "*1\r\n$4\r\nPING\r\n"],
    ...["<policy-file-request/>\0"],
  ];
  return [...gets, ...posts, ...strangers, ...noise.map((bytes) => Buffer.from(bytes).toString("latin1"))];
}
