import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { findSites } from "../../server/sites/countries.ts";
import { makeNextRelease } from "../deploy/next-release.ts";
import { type Stack, scrapeEachSecond, startStack } from "../deploy/start-stack.ts";
import { type FiredAlert, watchAlerts } from "../deploy/watch-alerts.ts";
import { atPace, lasting, quantile } from "./paced-load.ts";
import { atLeast, atMost, type Figure, none, type Proof } from "./proof.ts";
import { createShoppers, type Shoppers } from "./shoppers.ts";

const longForm: Milliseconds = 600 * second;
/** How long ReplicaDown waits in the rules until it fires. */
const alertWaits: Milliseconds = 120 * second;
/** How long shoppers are few at first. */
const warmUp: Milliseconds = 10 * second;
/** How long PostgreSQL is away, beside what it takes itself to end and to start. */
const postgresAway: Milliseconds = second;
/** Longest time until Prometheus sees something, and the rules say so. */
const seenWithin: Milliseconds = 30 * second;
const [killed, other] = ["storefront-1", "storefront-2"] as const;
/** Longest times of answers, in the long form. */
const longestP50: Milliseconds = 100;
const longestP99: Milliseconds = second;
const longestWait: Milliseconds = 10 * second;

export const liveStack: Proof = {
  name: "live stack",
  does: "Starts the parts of deploy/compose, and sends 200 requests a second through the edge, while one replica is killed and later started again, PostgreSQL is restarted, and both replicas are replaced by another release. Prometheus evaluates the rules.",
  async run(trial) {
    const isShort = trial.scale < 0.1;
    const waits = Math.max(second, alertWaits * Math.min(1, trial.scale));
    const stack = await startStack({
      files: {
        // One alert waits for less in a form that takes less; all else of the rules stays.
        "/etc/prometheus/alerts.yml": (text) =>
          text.replace(/(?<=- alert: ReplicaDown\n.*\n +for: )2m$/m, `${Math.round(waits / second)}s`),
        ...(isShort && scrapeEachSecond),
      },
    });
    const release = makeNextRelease();
    const alerts = watchAlerts(stack.addressOf("prometheus"), isShort ? second / 5 : second);
    const shoppers = createShoppers(stack.addressOf("varnish"), findSites("countries"), isShort);
    // In a shop that runs, never all replicas have just been started.
    if (!isShort) await atPace(20, lasting(warmUp), shoppers.ask);
    const started = performance.now();
    let isOver = false;
    const load = atPace(isShort ? 20 : 200, () => isOver, shoppers.ask);
    /** Waits until a part of the whole time has passed; the short form doesn't. */
    const until = (part: number) =>
      pause(isShort ? 0 : Math.max(0, started + part * longForm * trial.scale - performance.now()));
    try {
      await until(0.1);
      const figuresOfAlert = await killOne(stack, alerts.fired, waits);
      await until(0.6);
      await stack.postgres.restart(postgresAway);
      await until(0.75);
      for (const name of isShort ? [other] : [killed, other]) {
        await stack.programOf(name).stop("SIGTERM");
        await stack.programOf(name).start(release.folder);
      }
      await until(1);
      isOver = true;
      await load;
      const seconds = (performance.now() - started) / second;
      return [
        ...figuresOf(shoppers, (isShort ? 10 : 190) * seconds, isShort),
        ...(await countLost(stack, shoppers)),
        ...figuresOfAlert,
        none("alerts that say what isn't so", listWrongAlerts(stack, alerts.fired, isShort)),
      ];
    } finally {
      isOver = true;
      await load;
      await alerts.stop();
      await stack.stop();
      release.remove();
    }
  },
};

/** Kills a replica, waits until its alert fires, starts it again, and waits until the alert ends. */
async function killOne(stack: Stack, alerts: readonly FiredAlert[], waits: Milliseconds): Promise<Figure[]> {
  const alert = () => alerts.find((fired) => isOf(killed, stack, fired));
  const wait = async (isThere: () => boolean, longest: Milliseconds) => {
    const begun = performance.now();
    while (!isThere() && performance.now() - begun < longest) await pause(100);
    return isThere() ? (performance.now() - begun) / second : Number.POSITIVE_INFINITY;
  };
  const longest = waits + seenWithin;
  await stack.programOf(killed).stop("SIGKILL");
  const fires = await wait(() => alert() !== undefined, 2 * longest);
  await stack.programOf(killed).start();
  const ends = await wait(() => alert()?.ended !== undefined, 2 * seenWithin);
  return [
    atLeast("ReplicaDown fires after", fires, waits / second, "s"),
    atMost("ReplicaDown fires after", fires, longest / second, "s"),
    atMost("ReplicaDown ends after the start", ends, seenWithin / second, "s"),
  ];
}

function isOf(replica: string, stack: Stack, { name, instance }: FiredAlert): boolean {
  return name === "ReplicaDown" && instance === `${stack.addressOf(replica)}:9464`;
}

/** Lists the alerts that say what wasn't so. In the short form a replica that is replaced may count as down. */
function listWrongAlerts(stack: Stack, alerts: readonly FiredAlert[], isShort: boolean): string[] {
  const isRight = (alert: FiredAlert) => isOf(killed, stack, alert) || (isShort && alert.name === "ReplicaDown");
  return alerts.filter((alert) => !isRight(alert)).map(({ name, instance }) => `${name} ${instance}`);
}

function figuresOf({ times, failures }: Shoppers, requests: number, isShort: boolean): Figure[] {
  const sent = [...times.values()].reduce((sum, { length }) => sum + length, 0);
  return [
    atLeast("requests", sent, requests),
    ...[...times].flatMap(([kind, took]) => [
      atLeast(`${kind}: requests`, took.length, 1),
      none(
        `${kind}: failed`,
        failures.filter((failure) => failure.kind === kind).map(({ what }) => what),
      ),
      // Beside other tests the processors are shared.
      ...(isShort
        ? []
        : [
            atMost(`${kind}: p50`, quantile(took, 0.5), longestP50, "ms"),
            atMost(`${kind}: p99`, quantile(took, 0.99), longestP99, "ms"),
            atMost(`${kind}: slowest`, Math.max(...took), longestWait, "ms"),
          ]),
    ]),
  ];
}

/** Compares what was acknowledged with what is in the store. */
async function countLost({ postgres }: Stack, { signedUp }: Shoppers): Promise<Figure[]> {
  const client = new Client({ connectionString: new URL("storefront", postgres.url).href });
  await client.connect();
  const { rows } = await client.query<{ email: string }>("select email from newsletter_subscription");
  await client.end();
  const stored = new Set(rows.map(({ email }) => email));
  return [
    none(
      "sign-ups that are lost",
      [...signedUp].filter((email) => !stored.has(email)),
    ),
  ];
}
