import { LRUCache } from "lru-cache";
import { type Milliseconds, type Moment, second } from "../../client/rules/time.ts";
import { longestStored } from "../http/cache-control.ts";
import type { Logger } from "../platform/logger.ts";
import { createPoller } from "./poller.ts";

/** An entry of a plan: what holds from a moment until the next entry. Entries are in the order of time. */
interface PlannedEntry {
  from: Moment;
}

interface KeptPlansOptions<Subject, Entry> {
  /** Whose plans are kept from the start to the end of the service. */
  subjects: readonly Subject[];
  /** How many further subjects may have plans at once. */
  mostWanted: number;
  /** Identifies a subject. */
  keyOf(subject: Subject): string;
  /** Names a subject in the log; undefined if there is only one. */
  nameOf(subject: Subject): string | undefined;
  /**
   * Fetches the plan of a subject.
   * @param before - its last plan
   */
  fetch(subject: Subject, before: readonly Entry[] | undefined): Promise<Entry[]>;
  /** Lists the `Surrogate-Key`s of what caches hold, but couldn't expect to change by a new plan. */
  unforeseen(subject: Subject, before: readonly Entry[], plan: readonly Entry[], at: Moment): string[];
  logger: Logger;
  messages: { down: string; up: string };
  /** Purges a `Surrogate-Key` from the edge; undefined without an edge to purge. */
  purge: ((key: string) => Promise<void>) | undefined;
}

/** A subject that requests have asked for, and its first fetch until that is over. */
interface Wanted<Subject> {
  subject: Subject;
  firstPoll?: Promise<void> | undefined;
}

/** How long a plan stays if the service no longer answers. */
const keptFor: Milliseconds = 50 * second;
/** How long a wanted plan is refreshed after its last request. An edge that has a copy asks again before that. */
const wantedFor: Milliseconds = longestStored;

/**
 * Keeps plans available without waiting: those of given subjects, and those of others from the first request for one
 * until nobody has asked for it for a quarter of an hour. After a failed fetch, a subject keeps its last plan until
 * that expires. A plan that has changed unexpectedly is purged from the edge.
 */
export function createKeptPlans<Subject extends object, Entry extends PlannedEntry>(
  options: KeptPlansOptions<Subject, Entry>,
) {
  const { subjects, mostWanted, keyOf, fetch, unforeseen, ...reported } = options;
  const always = new Map(subjects.map((subject) => [keyOf(subject), subject]));
  const wanted = new LRUCache<string, Wanted<Subject>>({
    max: mostWanted,
    ttl: wantedFor,
    updateAgeOnGet: true,
    perf: performance,
    ttlResolution: 0,
  });
  const fetched = new WeakMap<Subject, { plan: Entry[]; at: Milliseconds }>();
  const poller = createPoller<Subject>({
    ...reported,
    subjects,
    async poll(subject) {
      const at = performance.now();
      const before = fetched.get(subject)?.plan;
      const plan = await fetch(subject, before);
      fetched.set(subject, { plan, at });
      return before ? unforeseen(subject, before, plan, Date.now()) : [];
    },
    isWanted(subject) {
      const key = keyOf(subject);
      return always.has(key) || wanted.peek(key)?.subject === subject;
    },
  });
  return { planOf, want, start: poller.start, close: poller.close };

  /** Returns the plan with a key; undefined if it isn't known, or has expired. */
  function planOf(key: string): readonly Entry[] | undefined {
    const subject = always.get(key) ?? wanted.get(key)?.subject;
    const last = subject && fetched.get(subject);
    return last && performance.now() - last.at < keptFor ? last.plan : undefined;
  }

  /**
   * Keeps the plan of a subject from now on.
   * @returns the end of the first fetch, successful or not; undefined if that is over
   */
  function want(subject: Subject): Promise<void> | undefined {
    const key = keyOf(subject);
    const known = wanted.get(key);
    if (known) return known.firstPoll;
    const added: Wanted<Subject> = { subject };
    wanted.set(key, added);
    added.firstPoll = poller.add(subject).then(() => {
      added.firstPoll = undefined;
    });
    return added.firstPoll;
  }
}

/** Returns the entry of a plan that holds at a moment. */
export function entryAt<Entry extends PlannedEntry>(plan: readonly Entry[] | undefined, at: Moment): Entry | undefined {
  return plan?.findLast(({ from }) => from <= at);
}

/** Returns the next change of a plan after a moment; Infinity if none is known. */
export function changeAfter(plan: readonly PlannedEntry[] | undefined, at: Moment): Moment {
  return plan?.find(({ from }) => from > at)?.from ?? Infinity;
}
