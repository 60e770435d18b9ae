import { onTestFinished, vi } from "vitest";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { PurgeForm } from "../../server/features/edge-purges/forms/purge-form.ts";
import { openPurges } from "../../server/features/edge-purges/queue/purges.ts";
import { createMetrics } from "../../server/platform/metrics.ts";
import { testLogger } from "./test-app.ts";
import { createTestLog } from "./test-log.ts";
import { openTestStore } from "./test-store.ts";

/** How long a purge waits until every replica has seen the change. */
export const settleTime: Milliseconds = 25 * second;

interface BenchOptions {
  onAccepted?: (tags: readonly string[]) => void;
  /** Whether `first` is the only replica: of two, either may send a purge, and each logs its own outages. */
  isAlone?: boolean;
}

/**
 * Two replicas that purge, with a clock that the test sets.
 * @param openForm - called for each replica
 */
export async function openPurgeBench(openForm: () => PurgeForm, { onAccepted, isAlone }: BenchOptions = {}) {
  const now = { at: 0 };
  const { db } = await openTestStore(testLogger);
  const { logger, lines } = createTestLog();
  const parts = { logger, metrics: createMetrics(), readiness: { state: "ready" as const }, onAccepted };
  const open = () => openPurges(db, openForm(), parts, () => now.at);
  const first = open();
  const other = isAlone ? first : open();
  const replicas = new Set([first, other]);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  for (const { worker } of replicas) {
    onTestFinished(() => worker.close());
    await worker.start();
  }
  const pass = async (time: number) => {
    now.at += time;
    vi.advanceTimersByTime(10 * second);
    for (const { worker } of replicas) await worker.idle();
  };
  const waiting = async () => (await db.selectFrom("purge").select("id").execute()).map(({ id }) => id);
  const waited = async () => (await parts.metrics.longestQueued.get()).values.map(({ value }) => value);
  /** The attempts by outcome. */
  const counted = async () =>
    Object.fromEntries((await parts.metrics.purges.get()).values.map(({ labels, value }) => [labels.outcome, value]));
  return { first, other, pass, waiting, waited, counted, logged: () => lines };
}
