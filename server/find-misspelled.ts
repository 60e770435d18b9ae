import { closest, distance } from "fastest-levenshtein";

/** A variable that the service doesn't know, and the one that seems to be meant. */
export interface Misspelled {
  name: string;
  meant: string;
}

/** Variables that begin like these are meant for the service. */
const ownPrefixes = ["UPSTREAM_", "NEWSLETTER_WEBHOOK_", "KEY_ENCRYPTION_"];

/** What Kubernetes tells a pod of the services beside it, whatever these are called. */
const ofKubernetes = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT(?:_\d+_\w+)?$/;

/**
 * Finds the variables that seem to be meant for the service, but have none of its names: those that begin like its own,
 * and those whose name is nearly one of its own.
 * @param known - the names of all variables of the service
 */
export function findMisspelled(variables: NodeJS.ProcessEnv, known: readonly string[]): Misspelled[] {
  // Node's own is near to names that other programs give.
  const ours = known.filter((name) => name !== "NODE_ENV");
  return Object.entries(variables).flatMap(([name, value]) => {
    if (known.includes(name) || !value?.trim() || ofKubernetes.test(name)) return [];
    const meant = closest(name, ours);
    const isNear = distance(name, meant) <= typosIn(meant) || isSwapped(name, meant);
    return isNear || ownPrefixes.some((prefix) => name.startsWith(prefix)) ? [{ name, meant }] : [];
  });
}

/** Tells whether two letters that stand side by side have changed places. */
function isSwapped(name: string, meant: string): boolean {
  const [at = -1, next, ...more] = [...name].flatMap((letter, i) => (letter === meant[i] ? [] : [i]));
  if (name.length !== meant.length || next !== at + 1 || more.length > 0) return false;
  return name[at] === meant[next] && name[next] === meant[at];
}

/** How many letters of a name may be wrong. Short names are near to too many others, as PORTS is to PORT. */
function typosIn({ length }: string): number {
  if (length < 8) return 0;
  return length < 10 ? 1 : 2;
}
