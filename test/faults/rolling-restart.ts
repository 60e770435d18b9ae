import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { onStore, type Replica, startReplica } from "../support/start-process.ts";
import { createStorePlace } from "../support/test-store.ts";
import { atLeast, none, type Proof, scaled } from "./proof.ts";
import { askFooter, createVisitors, type Footers, settleSignUps } from "./visitors.ts";

/** How often a load balancer asks whether a replica is ready. */
const checks: Milliseconds = 200;
/** A load balancer doesn't rely on an older check, because a stopping replica answers for two seconds. */
const longestCheck: Milliseconds = second;

export const rollingRestart: Proof = {
  name: "rolling restart",
  does: "Restarts replicas on one PostgreSQL database one after the other, over and over, while visitors ask for footers and sign up without a pause. A load balancer that asks for readiness five times a second, and repeats no request, shares them out.",
  async run(trial) {
    const place = await createStorePlace(undefined, trial.postgresUrl);
    const start = () => startReplica(onStore(place));
    const replicas = await Promise.all(Array.from({ length: scaled(3, trial, 2) }, start));
    const balancer = createBalancer(replicas);
    const footers: Footers = { asked: 0, failed: [] };
    const visitors = createVisitors();
    const failedSignUps: string[] = [];
    let isOver = false;
    const watch = balancer.watch(() => isOver);
    // One request of each kind at a time. A replica that has just started on a busy machine would shed more.
    const repeat = async (call: (port: number) => Promise<unknown>) => {
      while (!isOver) await call(await balancer.port());
    };
    const load = [
      repeat((port) => askFooter(port, footers)),
      repeat(async (port) => {
        const isAnswered = await visitors.signUp(port).catch((error: Error) => error.message);
        if (isAnswered !== true) failedSignUps.push(isAnswered || "no answer");
      }),
    ];

    const restarts = scaled(20, trial) * replicas.length;
    for (let restart = 0; restart < restarts; restart++) {
      await balancer.untilAllReady();
      await replicas[restart % replicas.length]?.stop();
      replicas[restart % replicas.length] = await start();
    }
    await balancer.untilAllReady();
    isOver = true;
    await Promise.all([...load, watch]);
    await Promise.all(replicas.map((replica) => replica.kill()));
    return [
      atLeast("restarts", restarts, scaled(20, trial) * 2),
      atLeast("footers", footers.asked, restarts * 10),
      atLeast("sign-ups", visitors.acknowledged.size, restarts * 10),
      none("failed footers", footers.failed),
      none("failed sign-ups", failedSignUps),
      ...(await settleSignUps("PostgreSQL", place, visitors)),
    ];
  },
};

/** Shares requests out among the replicas that are ready, as of the last check. */
function createBalancer(replicas: readonly Replica[]) {
  let ready: number[] = [];
  let checkedAt = -Infinity;
  let turn = 0;
  return {
    /** Returns the port of a ready replica, as soon as the last check is recent enough. */
    async port() {
      while (performance.now() - checkedAt > longestCheck) await pause(checks / 10);
      return ready[turn++ % ready.length] ?? 0;
    },
    async untilAllReady() {
      while (ready.length < replicas.length) await pause(checks / 4);
    },
    async watch(isOver: () => boolean) {
      for (; !isOver(); await pause(checks)) {
        const began = performance.now();
        const states = await Promise.all(
          replicas.map(async (replica) => ({ replica, isReady: await replica.isReady() })),
        );
        ready = states.filter(({ isReady }) => isReady).map(({ replica }) => replica.port);
        checkedAt = began;
      }
    },
  };
}
