import fc from "fast-check";
import { onStore, startReplica } from "../support/start-process.ts";
import { createStorePlace, type StorePlace } from "../support/test-store.ts";
import { atLeast, type Figure, type Proof, scaled, type Trial } from "./proof.ts";
import { createVisitors, settleSignUps, type Visitors } from "./visitors.ts";

/** The number of concurrent sign-ups. */
const atOnce = 16;
/** The number of sign-ups acknowledged before a kill: at least one, at most this many. */
const mostAnswers = 50;

export const killUnderLoad: Proof = {
  name: "kill -9 under load",
  does: "Kills the service over and over while sign-ups come in, each time after another number of answers. People who got no answer sign up again once it is back. In the end every sign-up that was acknowledged is stored once, and mailed once.",
  async run(trial) {
    const places = {
      SQLite: await createStorePlace(),
      PostgreSQL: await createStorePlace(undefined, trial.postgresUrl),
    };
    const figures = Object.entries(places).map(([title, place]) => killOn(title, place, trial));
    return (await Promise.all(figures)).flat();
  },
};

async function killOn(title: string, place: StorePlace, trial: Trial): Promise<Figure[]> {
  const rounds = fc.sample(fc.integer({ min: 1, max: mostAnswers }), {
    seed: trial.seed,
    numRuns: scaled(100, trial, 3),
  });
  const visitors = createVisitors();
  for (const answers of rounds) await killWhileBusy(place, visitors, answers);
  return [
    atLeast(`${title}: kills`, rounds.length, scaled(100, trial)),
    ...(await settleSignUps(title, place, visitors)),
  ];
}

async function killWhileBusy(place: StorePlace, { signUp, acknowledged }: Visitors, answers: number) {
  const service = await startReplica(onStore(place));
  const enough = acknowledged.size + answers;
  const keepComing = async () => {
    // A rejection is an answer, too: right after its start, a busy service sheds some requests.
    while ((await signUp(service.port).catch(() => true)) && acknowledged.size < enough);
    service.signal("SIGKILL");
  };
  await Promise.all(Array.from({ length: atOnce }, keepComing));
  await service.ended;
}
