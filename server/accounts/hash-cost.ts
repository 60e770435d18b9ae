import { hashPassword, readImportedHash } from "./password-hash.ts";

/** How much longer than a hash of the service's own kind an imported one may take to check. */
export const mostCost = 4;
/**
 * How often something is measured. The fastest counts, which other work on the machine disturbs least. The first ones in
 * each of Node's four threads are slow, as they get new memory from the system: a running service has done these.
 */
const measurements = 16;
/** From which measurement on one far above the limit ends them, and how far: they differ by less. */
const hopeless = { from: 6, factor: 3 };

/**
 * Creates the check of imported hashes. It measures what each set of parameters costs, once and on the machine where it
 * runs.
 * @returns a function that returns the fault of a hash, undefined when it is accepted
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

/** Measures a hash with more and more rounds, so that one that would take hours is refused after seconds. */
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
 * Measures all threads of the process, which does nothing else meanwhile, in microseconds of the processor's time.
 * @param enough - ends the measurements as soon as one is not above it
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
