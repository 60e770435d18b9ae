import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { sendRequest } from "../fuzz/send-request.ts";

/**
 * Calls at a steady pace, however long each call takes, as visitors don't wait for each other.
 * @returns when all calls have ended
 */
export async function atPace(perSecond: number, isOver: () => boolean, call: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  const underWay = new Set<Promise<unknown>>();
  for (let begun = 0; !isOver(); await pause(5)) {
    const due = ((performance.now() - started) / second) * perSecond;
    for (; begun < due; begun++) {
      const ended = call().finally(() => underWay.delete(ended));
      underWay.add(ended);
    }
  }
  await Promise.all(underWay);
}

/** Gives what is over after a time. */
export function lasting(time: Milliseconds): () => boolean {
  const end = performance.now() + time;
  return () => performance.now() > end;
}

/** What came of asking for footers. */
export interface Footers {
  /** How long each answer took. */
  times: Milliseconds[];
  /** What was answered in place of a footer. */
  failed: string[];
}

/** Asks for the footers of all sites in turn, and notes what comes back. */
export async function askFooter(
  port: number,
  sites: readonly string[],
  { times, failed }: Footers,
  headers: Record<string, string> = {},
): Promise<void> {
  const path = `/fragments/footer/${sites[times.length % sites.length]}`;
  const began = performance.now();
  const answer = await sendRequest(port, { method: "GET", path, headers }).catch(() => undefined);
  times.push(performance.now() - began);
  if (answer?.status !== 200) failed.push(`${path}: ${answer?.status ?? "no answer"}`);
}

/** The time within which 99 of 100 answers came, for each hundred of them: a busy machine has slow moments. */
export function p99s(times: readonly Milliseconds[]): Milliseconds[] {
  const hundreds = Array.from({ length: Math.floor(times.length / 100) }, (_, index) =>
    times.slice(index * 100, (index + 1) * 100),
  );
  return hundreds.map((hundred) => quantile(hundred, 0.99));
}

/** The value below which a part of the values is: 0.5 gives the median. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * part) - 1] ?? Number.NaN;
}
