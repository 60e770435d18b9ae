import { once } from "node:events";
import { connect } from "node:net";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { buildPeers, peers } from "./build-peers.ts";
import { formatSummary, type Measure } from "./report.ts";
import { type RunningServer, service, startServer } from "./start-server.ts";
import { summarize, summarizeRatio } from "./summarize.ts";

const rounds = 7;
/** The number of first bytes that a round waits for. */
const perRound = 100;

/** Measures how long a visitor waits for the head of the login page, beside bytes that are ready. */
export const firstByte: Measure = {
  name: "first-byte",
  duration: 15 * second,
  async run() {
    await buildPeers("DE");
    const footer = "/fragments/footer/DE";
    const shop = await startServer(service, footer);
    const env = { SOURCE: `${shop.origin}${footer}` };
    const constant = await startServer({ ...peers.logged, env }, footer);
    const measure = { login: () => firstByteTime(shop, "/login"), constant: () => firstByteTime(constant, footer) };
    for (const warmUp of Object.values(measure)) await warmUp();
    const login: Milliseconds[] = [];
    const ready: Milliseconds[] = [];
    for (let round = 0; round < rounds; round++) {
      login.push(await measure.login());
      ready.push(await measure.constant());
    }
    return {
      figures: { loginToConstant: summarizeRatio(login, ready) },
      table: [
        ["", "first byte (ms)"],
        ["login page", formatSummary(summarize(login))],
        [peers.logged.title, formatSummary(summarize(ready))],
      ],
    };
  },
};

/** Returns the median time until the first byte of a page arrives, asked for one by one on new connections. */
export async function firstByteTime({ origin }: RunningServer, path: string): Promise<Milliseconds> {
  const times: Milliseconds[] = [];
  while (times.length < perRound) {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1").setNoDelay();
    await once(socket, "connect");
    const asked = performance.now();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: de.localhost\r\nConnection: close\r\n\r\n`);
    await once(socket, "data");
    times.push(performance.now() - asked);
    socket.resume();
    await once(socket, "close");
  }
  return summarize(times).median;
}
