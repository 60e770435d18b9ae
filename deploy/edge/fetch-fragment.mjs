/**
 * Fetches fragments for a server that puts its pages together itself, and keeps them for as long as the service says.
 *
 *   const footer = await fetchFragment("http://fragments:3000/fragments/footer/DE", request.headers.cookie);
 */

/** No page waits longer for a fragment. */
const longestWait = 1000;
/** How many addresses are kept. */
const maxCopies = 1000;

const copies = new Map();
const underWay = new Map();

/**
 * Gives a fragment, or nothing where it isn't to be had.
 * @param {string} address
 * @param {string} [cookies] - those of the visitor. They are sent for staff who preview, and for nobody else.
 * @returns {Promise<string>} the fragment; empty where there is none
 */
export async function fetchFragment(address, cookies = "") {
  if (/(^|; *)PreviewContext=/.test(cookies)) return (await ask(address, { cookie: cookies }))?.body ?? "";
  const copy = copies.get(address);
  const isYoungerThan = (until) => copy !== undefined && Date.now() < until;
  if (isYoungerThan(copy?.freshUntil)) return copy.body;
  const coming = underWay.get(address) ?? keep(address);
  if (isYoungerThan(copy?.staleUntil)) return copy.body;
  const answer = await coming;
  if (answer) return answer.body;
  return isYoungerThan(copy?.errorUntil) ? copy.body : "";
}

/** Forgets all that has a key of `Surrogate-Key`, such as `country-DE`. */
export function purge(key) {
  for (const [address, { keys }] of copies) if (keys.includes(key)) copies.delete(address);
}

/** Fetches a fragment once for all who ask for it, and keeps what comes. */
function keep(address) {
  const coming = ask(address).then((answer) => {
    underWay.delete(address);
    if (answer && answer.errorUntil > Date.now()) {
      copies.delete(address);
      copies.set(address, answer);
      if (copies.size > maxCopies) copies.delete(copies.keys().next().value);
    }
    return answer;
  });
  underWay.set(address, coming);
  return coming;
}

/** Fetches a fragment whole; gives undefined where that fails. */
async function ask(address, headers = {}) {
  try {
    const response = await fetch(address, { headers, signal: AbortSignal.timeout(longestWait) });
    if (!response.ok) return undefined;
    const body = await response.text();
    const seconds = secondsOf(response.headers.get("cache-control") ?? "");
    const freshUntil = Date.now() + 1000 * seconds("s-maxage");
    return {
      body,
      keys: (response.headers.get("surrogate-key") ?? "").split(" "),
      freshUntil,
      staleUntil: freshUntil + 1000 * seconds("stale-while-revalidate"),
      errorUntil: freshUntil + 1000 * seconds("stale-if-error"),
    };
  } catch {
    return undefined;
  }
}

function secondsOf(cacheControl) {
  return (name) => Number(new RegExp(`(?:^|[ ,])${name}=(\\d+)`).exec(cacheControl)?.[1] ?? 0);
}
