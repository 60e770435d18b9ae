import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { type BreakablePostgres, type DatabaseFault, startBreakablePostgres } from "./break-postgres.ts";
import { type Load, loadService } from "./load-service.ts";
import { atLeast, atMost, type Figure, none, type Proof, scaled, type Trial } from "./proof.ts";
import { type Replica, startReplica } from "./start-replica.ts";
import { createVisitors } from "./visitors.ts";

/** How many sign-ups are under way at once: several for each connection of the service. */
const atOnce = 50;
/** How many more are taken before and after a fault. */
const between = 32;
/** Longest time until a sign-up is answered: it waits for a connection twice, and then for one that is lost. */
const answeredWithin: Milliseconds = 10 * second;
/** Longest time until nobody is refused any more once the database is back. */
const backWithin: Milliseconds = 5 * second;
/** Longest time until operators see that the database doesn't answer. */
const seenWithin: Milliseconds = 5 * second;

interface Planned {
  fault: DatabaseFault;
  lasts: Milliseconds;
  /** How many sign-ups more are awaited before it, so that it comes at another moment each time. */
  after: number;
}

/** When a fault began, and when the database was back. */
interface Caused {
  fault: DatabaseFault;
  begun: Milliseconds;
  mended: Milliseconds;
  /** How many statements the store had not carried out before. */
  errorsBefore: number;
}

export const databaseFaults: Proof = {
  name: "faults of PostgreSQL",
  does: "Breaks PostgreSQL in every way while visitors sign up and footers are asked for: ends connections, loses them, crashes and freezes the server, fills the disk, makes it read-only, locks a table. Whoever is refused tries again.",
  async run(trial) {
    const postgres = await startBreakablePostgres();
    try {
      const service = await startReplica({ DATABASE_URL: postgres.url });
      const figures = await breakWhileBusy(postgres, service, planOf(trial));
      service.signal("SIGKILL");
      await service.ended;
      return figures;
    } finally {
      await postgres.stop();
    }
  },
};

function planOf(trial: Trial): Planned[] {
  const kinds: [DatabaseFault, number, Milliseconds][] = [
    ["connections ended", scaled(20, trial, 2), 0],
    ["server crashed", scaled(5, trial), 0],
    ["disk full", scaled(5, trial), second],
    ["read-only", scaled(5, trial), second],
    // What waits for seconds is left to the long form.
    ["connections lost", scaled(3, trial, 0), 8 * second],
    ["server frozen", scaled(3, trial, 0), 8 * second],
    ["table locked", scaled(3, trial, 0), 12 * second],
  ];
  const faults = kinds.flatMap(([fault, count, lasts]) => Array.from({ length: count }, () => ({ fault, lasts })));
  const after = fc.sample(fc.integer({ min: 0, max: between }), { seed: trial.seed, numRuns: faults.length });
  return faults.map((planned, i) => ({ ...planned, after: after[i] ?? 0 }));
}

async function breakWhileBusy(postgres: BreakablePostgres, service: Replica, plan: Planned[]): Promise<Figure[]> {
  const visitors = createVisitors();
  const load = loadService(service, visitors, atOnce);
  const caused: Caused[] = [];
  const unseen: string[] = [];
  try {
    for (const { fault, lasts, after } of plan) {
      await load.untilTaken(between + after);
      const errorsBefore = await countErrors(service);
      const begun = performance.now();
      const mend = await postgres.faults[fault]();
      if (isAway(fault)) {
        await pause(seenWithin);
        if (!(await service.metrics()).includes("store_up 0")) unseen.push(fault);
        await pause(lasts - seenWithin);
      } else {
        await pause(lasts);
      }
      await mend();
      caused.push({ fault, begun, mended: performance.now(), errorsBefore });
    }
    await load.untilTaken(between);
  } finally {
    await load.stop();
  }
  const errors = await countErrors(service);
  return [
    atLeast("faults", caused.length, plan.length),
    atLeast("acknowledged sign-ups", visitors.acknowledged.size, plan.length * between),
    // A visitor needn't feel one: what fails for a group is tried again.
    none(
      "faults that no statement met",
      caused
        .filter(({ errorsBefore }, i) => errorsBefore === (caused[i + 1]?.errorsBefore ?? errors))
        .map(({ fault }) => fault),
    ),
    ...figuresOf(load, caused),
    none("faults that store_up didn't show", unseen),
    ...(await countSignUps(postgres, visitors.acknowledged)),
  ];
}

/** Counts the statements that the service's store didn't carry out. */
async function countErrors(service: Replica): Promise<number> {
  const [, count] = /^store_errors_total (\d+)$/m.exec(await service.metrics()) ?? [];
  if (count === undefined) throw new Error("the service doesn't say how many statements failed");
  return Number(count);
}

/** Tells whether nothing is answered while it lasts. */
function isAway(fault: DatabaseFault): boolean {
  return fault === "connections lost" || fault === "server frozen";
}

function figuresOf({ signUps, footers }: Load, caused: Caused[]): Figure[] {
  const refusal = "a sign-up was answered with 503";
  const refusals = signUps.filter(({ answer }) => answer === refusal);
  const refusalsOf = ({ begun }: Caused, i: number) =>
    refusals.filter(({ at }) => at > begun && at < (caused[i + 1]?.begun ?? Number.POSITIVE_INFINITY));
  const recoveries = caused.map((one, i) =>
    Math.max(0, ...refusalsOf(one, i).map(({ at }) => (at - one.mended) / second)),
  );
  const odd = signUps.filter(({ answer }) => answer !== "202" && answer !== refusal).map(({ answer }) => answer);
  const slowest = (answers: Load["signUps"]) => Math.max(...answers.map(({ took }) => took / second));
  return [
    none("answers but 202 and 503", odd),
    atMost("slowest sign-up", slowest(signUps), answeredWithin / second, "s"),
    atMost("last refusal after the database was back", Math.max(...recoveries), backWithin / second, "s"),
    atLeast("footers", footers.length, caused.length),
    none(
      "footers but 200",
      footers.map(({ answer }) => answer).filter((answer) => answer !== "200"),
    ),
    atMost("slowest footer", slowest(footers), 1, "s"),
  ];
}

async function countSignUps({ query }: BreakablePostgres, acknowledged: ReadonlySet<string>): Promise<Figure[]> {
  const tables = ["select email from newsletter_subscription", "select recipient as email from mail_outbox"];
  const found = await Promise.all(tables.map(async (sql) => (await query(sql)).map(({ email }) => String(email))));
  const counts = found.map((emails) => Map.groupBy(emails, (email) => email));
  return [
    none(
      "lost",
      [...acknowledged].filter((email) => counts.some((places) => !places.has(email))),
    ),
    none(
      "doubled",
      counts.flatMap((places) => [...places].filter(([, rows]) => rows.length > 1).map(([email]) => email)),
    ),
  ];
}
