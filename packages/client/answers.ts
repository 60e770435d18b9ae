import { callService, originOf, readText, reasonOf } from "./call-service.ts";

export interface ServiceOptions {
  /** The origin at which your server reaches the service, such as `http://fragments:3000`. */
  service: string | URL;
  /** How long a call may take at most, in milliseconds; by default, 1000. */
  deadline?: number | undefined;
  /** Called once when an outage of a fragment begins and once when it ends; by default, both write a warning. */
  onOutage?: ((outage: Outage) => void) | undefined;
  /** Replaces the global `fetch`, for a platform with a cache of its own. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** A time in which the service doesn't answer for a fragment with its parameters. */
export interface Outage {
  fragment: string;
  site: string;
  /** Why the service couldn't be used, such as `400: site must be one of AT, DE`. */
  reason: string;
  since: Date;
  /** Whether it has ended. */
  over: boolean;
}

/** What is read of an answer, which schemas/fragment-data.schema.json describes. */
export interface AnswerData {
  build: string;
  state: "fresh" | "stale" | "fallback";
  html: string;
  head: string;
  contentSecurityPolicy: Record<string, string[]>;
  routes: string[];
}

export interface Answer {
  data: AnswerData;
  /** Whether a newer one was due. */
  isStale: boolean;
}

/** An answer that is kept, and the times until which it may be used: as it is, while a newer one loads, without one. */
interface Copy {
  data: AnswerData;
  bytes: number;
  etag: string | null;
  keys: string[];
  freshUntil: number;
  staleUntil: number;
  errorUntil: number;
}

/** A call that is under way. */
interface Flight {
  copy: Promise<Copy | undefined>;
  /** Some platforms let a call end with the request that began it: then another must follow. */
  until: number;
}

/** What is kept at most: the addresses of a shop with parameters, and their answers. */
const limits = { entries: 1000, bytes: 20_000_000 };

/** The cookies that change a fragment for staff who preview. */
const previewCookies = /^(?:PreviewContext|StaffAuthToken|CobraAuthToken|affiliateNumber|xc-app)=/;

/** Keeps the service's answers for as long as they say, and asks it once for all who want the same. */
export function createAnswers({
  service,
  deadline = 1000,
  onOutage = warn,
  fetch = (url, init) => globalThis.fetch(url, init),
}: ServiceOptions) {
  const origin = originOf(service);
  /** By address, the least recently used first. */
  const copies = new Map<string, Copy>();
  const flights = new Map<string, Flight>();
  const outages = new Map<string, Outage>();
  let bytes = 0;
  return { ask, purge };

  /** Returns the answer for a fragment within the deadline, or undefined if there is none. */
  async function ask(
    fragment: string,
    site: string,
    parameters: Record<string, unknown>,
    cookies?: string | null,
  ): Promise<Answer | undefined> {
    const address = addressOf(fragment, site, parameters);
    const failed = (reason: string) => reportOutage(address, { fragment, site, reason });
    const cookie = cookiesOfPreview(cookies ?? "");
    if (cookie) return currentOf(await within(deadline, load(address, failed, { cookie })));

    const copy = copies.get(address);
    if (copy) touch(address, copy);
    if (copy && performance.now() < copy.freshUntil) return currentOf(copy);
    const underWay = flights.get(address);
    const flight = underWay && performance.now() < underWay.until ? underWay : start(address, failed, copy);
    if (copy && performance.now() < copy.staleUntil) return { data: copy.data, isStale: true };
    // In an outage each page would wait for the whole deadline; a service that is back needs no more than this.
    const patience = outages.has(address) ? deadline / 10 : deadline;
    const newer = await within(patience, flight.copy);
    if (newer) return currentOf(newer);
    return copy && performance.now() < copy.errorUntil ? { data: copy.data, isStale: true } : undefined;
  }

  /** Lets the copies with a key be fetched again. They stay, in case that fails. */
  function purge(key: string): void {
    for (const copy of copies.values()) if (copy.keys.includes(key)) copy.freshUntil = copy.staleUntil = 0;
    // What is under way may be older than the purge.
    flights.clear();
  }

  function addressOf(fragment: string, site: string, parameters: Record<string, unknown>): string {
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
    const query = String(new URLSearchParams(given.map(([name, value]) => [name, String(value)])));
    return `${origin}/fragments/${encodeURIComponent(fragment)}/${encodeURIComponent(site)}.json${query && `?${query}`}`;
  }

  function start(address: string, failed: (reason: string) => void, copy: Copy | undefined): Flight {
    const loading = load(address, failed, copy?.etag ? { "if-none-match": copy.etag } : {}, copy);
    const flight = { copy: loading, until: performance.now() + deadline };
    flights.set(address, flight);
    loading.then((loaded) => {
      if (flights.get(address) !== flight) return;
      flights.delete(address);
      if (loaded && loaded.errorUntil > performance.now()) touch(address, loaded);
    });
    return flight;
  }

  /**
   * Asks the service.
   * @param known - a copy that a 304 confirms
   * @returns the answer; undefined if it isn't one, which is reported
   */
  async function load(
    address: string,
    failed: (reason: string) => void,
    headers: Record<string, string>,
    known?: Copy,
  ): Promise<Copy | undefined> {
    try {
      const response = await callService(fetch, address, { headers, signal: AbortSignal.timeout(deadline) });
      const copy = response.status === 304 && known ? { ...known, ...lifetimes(response) } : await read(response);
      const outage = outages.get(address);
      if (outages.delete(address) && outage) callSafely(() => onOutage({ ...outage, over: true }));
      return copy;
    } catch (error) {
      failed(reasonOf(error, deadline));
      return undefined;
    }
  }

  function reportOutage(address: string, what: Pick<Outage, "fragment" | "site" | "reason">): void {
    if (outages.has(address)) return;
    const outage = { ...what, since: new Date(), over: false };
    outages.set(address, outage);
    if (outages.size > limits.entries) outages.delete(firstOf(outages));
    callSafely(() => onOutage(outage));
  }

  /** Makes a copy the most recently used one, and drops those for which there is no room. */
  function touch(address: string, copy: Copy): void {
    bytes += copy.bytes - (copies.get(address)?.bytes ?? 0);
    copies.delete(address);
    copies.set(address, copy);
    while (copies.size > limits.entries || bytes > limits.bytes) {
      const oldest = firstOf(copies);
      bytes -= copies.get(oldest)?.bytes ?? 0;
      copies.delete(oldest);
    }
  }
}

/** Reads an answer. Throws an Error with the reason if it isn't one. */
async function read(response: Response): Promise<Copy> {
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error([response.status, response.headers.get("x-fragment-error") ?? response.statusText].join(": "));
  }
  const text = await readText(response);
  // Some servers answer paths that they don't know with a page.
  if (response.headers.get("content-type")?.startsWith("text/html"))
    throw new Error("a page has answered: does /fragments/ reach the service?");
  const data: AnswerData = JSON.parse(text);
  if (typeof data.html !== "string" || typeof data.head !== "string") throw new Error("the answer is no fragment");
  const keys = (response.headers.get("surrogate-key") ?? "").split(" ");
  return { data, keys, bytes: text.length, etag: response.headers.get("etag"), ...lifetimes(response) };
}

/** Reads how long an answer may be kept: https://www.rfc-editor.org/rfc/rfc9111, https://www.rfc-editor.org/rfc/rfc5861 */
function lifetimes({ headers }: Response): Pick<Copy, "freshUntil" | "staleUntil" | "errorUntil"> {
  const policy = headers.get("cache-control") ?? "";
  const isShared = !/\b(?:private|no-store)\b/.test(policy);
  const seconds = (name: string) => {
    const [, value] = new RegExp(`(?<![\\w-])${name}=(\\d+)`).exec(policy) ?? [];
    return isShared && value ? Number(value) : undefined;
  };
  const maxAge = seconds("s-maxage") ?? seconds("max-age") ?? 0;
  const freshUntil = performance.now() + 1000 * Math.max(0, maxAge - Number(headers.get("age") ?? 0));
  const later = (name: string) => freshUntil + 1000 * (seconds(name) ?? 0);
  return { freshUntil, staleUntil: later("stale-while-revalidate"), errorUntil: later("stale-if-error") };
}

/** Returns the cookies of staff who preview; an empty text for all others, who share their copies. */
function cookiesOfPreview(header: string): string {
  const cookies = header.split(/; */);
  if (!cookies.some((cookie) => cookie.startsWith("PreviewContext="))) return "";
  return cookies.filter((cookie) => previewCookies.test(cookie)).join("; ");
}

function currentOf(copy: Copy | undefined): Answer | undefined {
  return copy && { data: copy.data, isStale: false };
}

/** Waits for a promise that never rejects, but no longer than given. */
function within<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, undefined);
    promise.then((result) => {
      clearTimeout(timer);
      resolve(result);
    });
  });
}

function firstOf(map: Map<string, unknown>): string {
  return map.keys().next().value ?? "";
}

/** Calls a function of the page's team, whose errors must not reach a shopper. */
export function callSafely<Result>(call: () => Result): Result | undefined {
  try {
    return call();
  } catch (error) {
    return logError(error);
  }
}

/** Logs an error that no caller can handle. */
export function logError(error: unknown): undefined {
  // biome-ignore lint/suspicious/noConsole: the page has no other place for it
  console.error(error);
}

function warn({ fragment, site, reason, since, over }: Outage): void {
  const what = over ? `is back, after an outage since ${since.toISOString()}` : `has an outage: ${reason}`;
  // biome-ignore lint/suspicious/noConsole: the default of an option
  console.warn(`storefront-fragments: the ${fragment} of ${site} ${what}`);
}
