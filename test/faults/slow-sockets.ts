import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { startReplica } from "../support/start-process.ts";
import { atLeast, atMost, none, type Proof, scaled } from "./proof.ts";
import { askFooter, type Footers } from "./visitors.ts";

const post = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: de.localhost\r\nX-hunter-csrf: 1\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
/** The beginning of each socket's request. It continues with a byte a second, or with nothing. */
const beginnings = [
  { start: "", goesOn: false },
  { start: "GET / HTTP/1.1\r\nHost: de.localhost\r\nX-Slow: a", goesOn: true },
  { start: "GET / HTTP/1.1\r\n", goesOn: false },
  { start: post("/service/newsletter/api/internal/newsletter-subscribers"), goesOn: true },
  { start: post("/service/login/api/v1/login"), goesOn: false },
  { start: post("/unknown"), goesOn: true },
];
const longestLife: Milliseconds = 11 * second;
/** Pause between two footers. */
const pace: Milliseconds = 20;

export const slowSockets: Proof = {
  name: "slow sockets",
  waits: true,
  does: "Keeps many sockets open that send their requests slowly or not at all, each replaced when the service has closed it, and asks for footers meanwhile.",
  async run(trial) {
    const service = await startReplica();
    const count = scaled(1_000, trial, 100);
    const end = performance.now() + scaled(60, trial, 12) * second - longestLife;
    let isOver = false;
    const closing = keepSlow(service.port, count, () => performance.now() > end).finally(() => {
      isOver = true;
    });
    const footers: Footers = { asked: 0, failed: [] };
    for (; !isOver; await pause(pace)) await askFooter(service.port, footers);
    const lives = await closing;
    await service.kill();
    return [
      atLeast("slow sockets", lives.length, count),
      atMost("longest life of a slow socket", Math.max(...lives) / second, longestLife / second, "s"),
      atLeast("footers meanwhile", footers.asked, 100),
      none("failed footers", footers.failed),
    ];
  },
};

/**
 * @returns how long each socket has lived until the service closed it
 */
async function keepSlow(port: number, count: number, isOver: () => boolean): Promise<Milliseconds[]> {
  const lives: Milliseconds[] = [];
  const keep = async (_: unknown, index: number) => {
    for (let turn = index; turn === index || !isOver(); turn++) lives.push(await liveSlowly(port, turn));
  };
  await Promise.all(Array.from({ length: count }, keep));
  return lives;
}

async function liveSlowly(port: number, turn: number): Promise<Milliseconds> {
  const { start, goesOn } = beginnings[turn % beginnings.length] ?? { start: "", goesOn: false };
  const closed = Promise.withResolvers<void>();
  // Of a thousand simultaneous connections, the system delays some for a second before the service can accept them.
  let began = performance.now();
  // Some are reset, which is just as good.
  const socket = connect(port, "127.0.0.1")
    .on("connect", () => {
      began = performance.now();
    })
    .on("error", () => undefined)
    .on("close", closed.resolve);
  socket.resume().write(start);
  const timer = goesOn ? setInterval(() => socket.write("a"), second) : undefined;
  // Doesn't wait for a service that never closes it.
  const limit = setTimeout(() => socket.destroy(), 30 * second);
  await closed.promise;
  clearTimeout(limit);
  clearInterval(timer);
  return performance.now() - began;
}
