import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished } from "vitest";
import { second } from "../../client/rules/time.ts";
import {
  createPreferencesTokens,
  createSenderTokens,
} from "../../server/features/newsletter/embedded/sender-tokens.ts";
import { createEventWorker, eventTimeout } from "../../server/features/newsletter/webhook/events.ts";
import { createMetrics } from "../../server/platform/metrics.ts";
import type { Database } from "../../server/store/open-store.ts";
import { createWebhook, type Webhook } from "../../server/upstream/webhook.ts";
import { findFreePort } from "./find-free-port.ts";
import { callerOf, openNewsletter, signUp } from "./newsletter-test.ts";
import { testLogger } from "./test-app.ts";
import { createTestLog } from "./test-log.ts";
import { openTestStore, testKeys } from "./test-store.ts";

/** The secret that signs events, and in tests also reports. */
export const eventSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
/** How long a process may take to start. */
const startLimit = 20 * second;

/** The newsletter with its events, and replicas that send them. */
export async function openEvents(given?: Database) {
  const db = given ?? (await openTestStore(testLogger)).db;
  const tokenOf = createSenderTokens(testKeys);
  const bench = await openNewsletter(db, { hasReceiver: true });
  const waiting = () => db.selectFrom("newsletterEvent").selectAll().execute();
  const metrics = createMetrics();
  const { logger, lines } = createTestLog();

  /** Starts a replica. The returned function sends everything that is due. */
  const replica = (webhook: Webhook) => {
    const worker = createEventWorker({
      db,
      webhook,
      logger,
      metrics,
      senderTokenOf: tokenOf,
      preferencesTokenOf: createPreferencesTokens(testKeys),
      clock: bench.now,
      isDraining: () => false,
    });
    worker.start();
    return async () => {
      worker.wake();
      await worker.idle();
    };
  };
  /** Starts a replica whose first delivery lasts until the returned function is called. */
  const replicaThatHangs = async () => {
    const [begun, underWay] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
    const send = () => {
      begun.resolve();
      return underWay.promise;
    };
    const delivery = replica({ send, close: async () => undefined })();
    await begun.promise;
    return () => {
      underWay.resolve(undefined);
      return delivery;
    };
  };
  /** Starts a replica that sends to a URL. */
  const replicaTo = (url: string) => {
    const webhook = createWebhook({ url, secret: eventSecret, secretFile: undefined }, { deadline: eventTimeout });
    onTestFinished(() => webhook.close());
    return replica(webhook);
  };
  const confirm = async (email: string, site = "DE") => {
    const token = await signUp(bench, email, site);
    await bench.newsletter.confirm(token, callerOf(site));
    return token;
  };
  const attempts = async (outcome: string) =>
    (await metrics.events.get()).values
      .filter(({ labels }) => labels.outcome === outcome)
      .reduce((sum, { value }) => sum + value, 0);
  return { ...bench, tokenOf, waiting, lines, replicaThatHangs, replicaTo, confirm, attempts };
}

/** Starts a program of a receiver on a port, by default a free one, and returns the lines that it writes. */
export async function startProgram(file: string, variables: Record<string, string>, given?: number) {
  const port = given ?? (await findFreePort());
  const env = { ...variables, PORT: String(port) };
  const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  const url = `http://127.0.0.1:${port}`;
  const isThere = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await expect.poll(isThere, { timeout: startLimit }).toBe(true);
  return { url, lines: () => output.split("\n").slice(0, -1) };
}
