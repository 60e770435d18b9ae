import { closest, distance } from "fastest-levenshtein";

const ownPrefix = /^(UPSTREAM|NEWSLETTER_WEBHOOK|NEWSLETTER_EVENTS|OIDC|EDGE_TAG|PURGE)_/;
/** Set by Kubernetes for every service beside a pod, whatever its name. */
const ofKubernetes = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT(?:_\d+_\w+)?$/;

/**
 * Reports an unknown variable that has one of our prefixes, or nearly one of our names. Others belong to other
 * programs.
 * @param known - the names of our variables
 */
export function findTypo(name: string, known: readonly string[]): string[] {
  // NODE_ENV resembles other programs' variables.
  const meant = closest(
    name,
    known.filter((one) => one !== "NODE_ENV"),
  );
  const isSwapped = distance(name, meant) === 2 && [...name].sort().join() === [...meant].sort().join();
  // Short names resemble too many others, as PORTS resembles PORT.
  const isNear = meant.length > 7 && (isSwapped || distance(name, meant) <= (meant.length < 10 ? 1 : 2));
  const isMeant = (isNear || ownPrefix.test(name)) && !ofKubernetes.test(name);
  return isMeant ? [`environment: ${name} is not known: rename it to ${meant}, or remove it`] : [];
}
