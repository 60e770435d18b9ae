import { setTimeout as pause } from "node:timers/promises";
import { findSites } from "../../server/config/country-files.ts";
import { onStore, type Replica, startReplica } from "../support/start-process.ts";
import { createStorePlace } from "../support/test-store.ts";
import { askFooter, atPace, type Footers } from "./paced-load.ts";
import { atLeast, none, type Proof, scaled } from "./proof.ts";
import { createVisitors, settleSignUps } from "./visitors.ts";

const sites = findSites("countries");
const signUpsPerSecond = 10;
/** How often a load balancer asks whether a replica is ready. */
const checks = 200;

export const rollingRestart: Proof = {
  name: "rolling restart",
  does: "Restarts replicas on one PostgreSQL database one after the other, over and over, under 500 requests a second. A load balancer that asks for readiness five times a second, and repeats no request, shares them out.",
  async run(trial) {
    const place = await createStorePlace(undefined, trial.postgresUrl);
    const start = () => startReplica(onStore(place));
    const replicas = await Promise.all(Array.from({ length: scaled(3, trial, 2) }, start));
    const balancer = createBalancer(replicas);
    const footersPerSecond = scaled(490, trial, 90);
    const footers: Footers = { times: [], failed: [] };
    const visitors = createVisitors();
    const failedSignUps: string[] = [];
    let isOver = false;
    const load = [
      balancer.watch(() => isOver),
      atPace(
        footersPerSecond,
        () => isOver,
        () => askFooter(balancer.port(), sites, footers),
      ),
      atPace(
        signUpsPerSecond,
        () => isOver,
        async () => {
          const isAnswered = await visitors.signUp(balancer.port()).catch((error: Error) => error.message);
          if (isAnswered !== true) failedSignUps.push(isAnswered || "no answer");
        },
      ),
    ];

    const restarts = scaled(20, trial) * replicas.length;
    for (let restart = 0; restart < restarts; restart++) {
      await balancer.untilAllReady();
      await replicas[restart % replicas.length]?.stop();
      replicas[restart % replicas.length] = await start();
    }
    isOver = true;
    await Promise.all(load);
    await Promise.all(replicas.map((replica) => replica.kill()));
    return [
      atLeast("restarts", restarts, scaled(20, trial) * 2),
      atLeast("requests", footers.times.length + visitors.acknowledged.size, restarts * footersPerSecond),
      none("failed footers", footers.failed),
      none("failed sign-ups", failedSignUps),
      ...(await settleSignUps("PostgreSQL", place, visitors)),
    ];
  },
};

/** Shares requests out among the replicas that are ready, as of the last time that they were asked. */
function createBalancer(replicas: readonly Replica[]) {
  let ready = replicas.map(({ port }) => port);
  let turn = 0;
  return {
    port: () => ready[turn++ % ready.length] ?? 0,
    async untilAllReady() {
      while (ready.length < replicas.length) await pause(checks / 4);
    },
    async watch(isOver: () => boolean) {
      for (; !isOver(); await pause(checks)) {
        const states = await Promise.all(
          replicas.map(async (replica) => ({ replica, isReady: await replica.isReady() })),
        );
        ready = states.filter(({ isReady }) => isReady).map(({ replica }) => replica.port);
      }
    },
  };
}
