import { hashPassword, readImportedHash } from "./password-hash.ts";

/** How many times longer than a hash of the service's own kind an imported one may take to check. */
export const mostCost = 4;
/**
 * How many times something is measured. The fastest counts, because other work on the machine disturbs it least. The
 * first measurements in each of Node's four threads are slow, because the threads get new memory from the system. A
 * running service has done these.
 */
const measurements = 16;
/**
 * When measuring ends early: from this measurement on, if one exceeds the limit by this factor. Measurements of one
 * hash differ by less.
 */
const hopeless = { from: 6, factor: 3 };

/**
 * Creates the check of imported hashes. It measures the cost of each set of parameters once, on the machine where it
 * runs.
 * @returns a function that returns the fault of a hash; undefined if the hash is accepted
 */
export function createCostCheck(): (passwordHash: string) => Promise<string | undefined> {
  const faults = new Map<string, Promise<string | undefined>>();
  let ownCost: Promise<number> | undefined;
  return async (passwordHash) => {
    const hash = readImportedHash(passwordHash);
    if (!hash) return hashRule;
    ownCost ??= measure(() => hashPassword("password"), 0);
    const fault = faults.get(hash.settings) ?? faultOf(hash, await ownCost);
    faults.set(hash.settings, fault);
    return fault;
  };
}

const hashRule =
  "must be $argon2id$v=19$m=…,t=…,p=…$salt$hash or $scrypt$ln=…,r=…,p=…$salt$hash with at most 128 MiB of memory";

type ImportedHash = NonNullable<ReturnType<typeof readImportedHash>>;

/** Measures a hash with more and more rounds, so that a hash that would take hours is refused after seconds. */
async function faultOf({ settings, rounds, derive }: ImportedHash, ownCost: number): Promise<string | undefined> {
  for (let used = 1; ; used = Math.min(rounds, 2 * used)) {
    const limit = mostCost * ownCost;
    const cost = await measure(() => derive("password", used), limit).catch(() => undefined);
    // OpenSSL refuses some parameters that the format allows.
    if (cost === undefined) return hashRule;
    if (cost > limit) {
      const taken = `${used < rounds ? "more than " : ""}${(cost / ownCost).toFixed(1)} times`;
      return `must take at most ${mostCost} times as long as the service's own hash, but ${settings} takes ${taken}`;
    }
    if (used === rounds) return undefined;
  }
}

/**
 * Measures the processor time of all threads of the process, which does nothing else at the time, in microseconds.
 * @param enough - ends the measurements once one isn't above this
 */
async function measure(work: () => Promise<unknown>, enough: number): Promise<number> {
  let fastest = Infinity;
  for (let i = 0; i < measurements && fastest > enough; i++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    fastest = Math.min(fastest, user + system);
    if (enough > 0 && i + 1 >= hopeless.from && fastest > hopeless.factor * enough) break;
  }
  return fastest;
}
