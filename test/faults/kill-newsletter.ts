/**
 * Kills the service over and over while sign-ups come in, each time after another number of answers. Whoever got no
 * answer signs up again once it is back. In the end every sign-up that was acknowledged must be stored once, and mailed
 * once.
 *
 *   node build.mjs && tsx test/faults/kill-newsletter.ts [rounds=50]
 *
 * Prints how many were acknowledged, lost and doubled, and exits with 1 when any was lost or doubled. A round takes as
 * long as a start of the service, and the end up to two minutes, as killed processes hold their mails for so long.
 */
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProcess } from "../support/start-process.ts";
import { countSignUps, untilMailed } from "./count-sign-ups.ts";
import { createVisitors, type Visitors } from "./visitors.ts";

const rounds = Number(process.argv[2] ?? 50);
/** How many sign-ups are under way at once. */
const atOnce = 16;
/** How many sign-ups at most are acknowledged before a kill. */
const mostAnswers = 50;

const dataDir = await mkdtemp(join(tmpdir(), "kill-newsletter-"));
const visitors = createVisitors();
try {
  for (let round = 1; round <= rounds; round++) {
    await killWhileBusy(visitors, randomInt(1, mostAnswers));
    console.log(`round ${round}: ${visitors.acknowledged.size} acknowledged, ${visitors.unanswered.length} unanswered`);
  }
  await signUpTheRest(visitors);
  const { lost, doubled } = await countSignUps(dataDir, visitors.acknowledged);
  console.table({ rounds, acknowledged: visitors.acknowledged.size, lost: lost.length, doubled: doubled.length });
  if (lost.length > 0 || doubled.length > 0) {
    console.error({ lost, doubled });
    process.exitCode = 1;
  }
} finally {
  await rm(dataDir, { recursive: true });
}

function start() {
  return startProcess({ DATA_DIR: dataDir, HOST: "127.0.0.1", NODE_ENV: "production", TRUST_PROXY: "127.0.0.1" });
}

async function killWhileBusy({ signUp, acknowledged }: Visitors, answers: number) {
  const service = start();
  const port = await service.port;
  const enough = acknowledged.size + answers;
  const keepComing = async () => {
    while ((await signUp(port)) && acknowledged.size < enough);
    service.signal("SIGKILL");
  };
  await Promise.all(Array.from({ length: atOnce }, keepComing));
  await service.ended;
}

/** Signs up whoever got no answer. This service may live until it has sent the mails that the killed ones have left. */
async function signUpTheRest({ signUp, unanswered }: Visitors) {
  const service = start();
  const port = await service.port;
  for (let left = unanswered.length; left > 0; left--) await signUp(port);
  await untilMailed(dataDir);
  service.signal("SIGTERM");
  await service.ended;
}
