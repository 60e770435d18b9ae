import { callSafely } from "./call-safely.ts";
import { askService, originOf, readBytes, reasonOf } from "./call-service.ts";
import { lifetimesOf } from "./lifetimes.ts";
import { createLimitedMap } from "./limited-map.ts";

export interface ServiceOptions {
  /** The origin at which your server reaches the service, such as `http://fragments:3000`. */
  service: string | URL;
  /** The maximum time of a call in milliseconds. Default: 1000. */
  deadline?: number | undefined;
  /** Called when an outage of a fragment begins, and again when it ends. Default: logs a warning each time. */
  onOutage?: ((outage: Outage) => void) | undefined;
  /** Replaces the global `fetch`, for a platform with a cache of its own. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** An outage of a fragment with its parameters, or of the requests that are forwarded. */
export interface Outage {
  /** `forwarding` for the requests of browsers that `storefront()` forwards. */
  fragment: string;
  site: string;
  /** Why the service couldn't be used, such as `400: site must be one of AT, DE`. */
  reason: string;
  since: Date;
  /** Whether the outage has ended. */
  over: boolean;
}

/** The fields of an answer that the client reads. schemas/fragment-data.schema.json describes them. */
export interface AnswerData {
  build: string;
  state: "fresh" | "stale" | "fallback";
  html: string;
  head: string;
  contentSecurityPolicy: Record<string, string[]>;
  routes: string[];
  /** Missing from answers of 1.0, which has them only in a header. */
  tags?: string[];
}

export interface FragmentAnswer {
  data: AnswerData;
  /** Whether the copy should have been renewed by now. */
  isStale: boolean;
}

/** What a proxy of the service needs. */
export interface ServiceAccess {
  origin: string;
  /** The maximum time of a fragment's call in milliseconds. */
  deadline: number;
  /** Reports that a request couldn't be forwarded. */
  failed(site: string, reason: string): void;
  /** Reports that the service has answered. */
  answered(): void;
}

/**
 * A cached answer with three times: until when it is fresh, until when it is used while a new one loads, and until when
 * it is used if there is none.
 */
interface Copy {
  data: AnswerData;
  bytes: number;
  etag: string | null;
  tags: string[];
  freshUntil: number;
  staleUntil: number;
  errorUntil: number;
}

/** A call in progress. */
interface Flight {
  copy: Promise<Copy | undefined>;
  /**
   * Until when other requests may wait for this call. Some platforms end a call with the request that began it; after
   * this time, another call starts.
   */
  until: number;
}

/** The limits of the cache: addresses of a shop with parameters, and bytes of their answers. */
const limits = { values: 1000, bytes: 20_000_000 };

/** Cookies of staff who preview. They change a fragment. */
const previewCookies = /^(?:PreviewContext|StaffAuthToken|CobraAuthToken|affiliateNumber|xc-app)=/;

/**
 * Caches the service's answers for as long as their headers allow. Concurrent requests for the same answer share one
 * call.
 * @param onAnswer - called with each answer of the service, also with one that it confirms
 */
export function createAnswers(
  { service, deadline = 1000, onOutage = warn, fetch = (url, init) => globalThis.fetch(url, init) }: ServiceOptions,
  onAnswer: (data: AnswerData) => void,
) {
  const origin = originOf(service);
  const copies = createLimitedMap<Copy>(limits);
  const flights = new Map<string, Flight>();
  const outages = new Map<string, Outage>();
  const access: ServiceAccess = {
    origin,
    deadline,
    failed: (site, reason) => reportOutage("forwarding", { fragment: "forwarding", site, reason }),
    answered: () => endOutage("forwarding"),
  };
  return { ask, kept, purge, fetchFile, access };

  /** Returns the answer for a fragment within the deadline, or undefined if there is none. */
  async function ask(
    fragment: string,
    site: string,
    parameters: Record<string, unknown>,
    cookies?: string | null,
  ): Promise<FragmentAnswer | undefined> {
    const address = addressOf(fragment, site, parameters);
    const failed = (reason: string) => reportOutage(address, { fragment, site, reason });
    const cookie = cookiesOfPreview(cookies ?? "");
    if (cookie) return currentOf(await within(deadline, load(address, failed, { cookie })));

    const copy = copies.get(address);
    if (copy && performance.now() < copy.freshUntil) return currentOf(copy);
    const underWay = flights.get(address);
    const flight = underWay && performance.now() < underWay.until ? underWay : start(address, failed, copy);
    if (copy && performance.now() < copy.staleUntil) return { data: copy.data, isStale: true };
    // During an outage, each page would otherwise wait for the whole deadline. A tenth is enough for a service that is
    // back.
    const patience = outages.has(address) ? deadline / 10 : deadline;
    const newer = await within(patience, flight.copy);
    if (newer) return currentOf(newer);
    return copy && performance.now() < copy.errorUntil ? { data: copy.data, isStale: true } : undefined;
  }

  /** Makes the copies with a tag stale, so that they are fetched again. They remain usable if that fails. */
  function purge(tag: string): void {
    for (const copy of copies.values()) if (copy.tags.includes(tag)) copy.freshUntil = copy.staleUntil = 0;
    // A call in progress may have begun before the purge.
    flights.clear();
  }

  /** Returns the address of an answer, which is the same in whatever order the parameters are given. */
  function addressOf(fragment: string, site: string, parameters: Record<string, unknown>): string {
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    search.sort();
    const query = String(search);
    return `${origin}/fragments/${encodeURIComponent(fragment)}/${encodeURIComponent(site)}.json${query && `?${query}`}`;
  }

  function start(address: string, failed: (reason: string) => void, copy: Copy | undefined): Flight {
    const loading = load(address, failed, copy?.etag ? { "if-none-match": copy.etag } : {}, copy);
    const flight = { copy: loading, until: performance.now() + deadline };
    flights.set(address, flight);
    loading.then((loaded) => {
      if (flights.get(address) !== flight) return;
      flights.delete(address);
      if (loaded && loaded.errorUntil > performance.now()) copies.set(address, loaded);
    });
    return flight;
  }

  /**
   * Calls the service.
   * @param known - the copy that a 304 confirms
   * @returns the answer; undefined after a failure, which is reported
   */
  async function load(
    address: string,
    failed: (reason: string) => void,
    headers: Record<string, string>,
    known?: Copy,
  ): Promise<Copy | undefined> {
    try {
      const response = await askService(fetch, address, { headers, signal: AbortSignal.timeout(deadline) });
      const copy = response.status === 304 && known ? { ...known, ...lifetimesOf(response) } : await read(response);
      endOutage(address);
      onAnswer(copy.data);
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
    if (outages.size > limits.values) outages.delete(firstOf(outages));
    callSafely(() => onOutage(outage));
  }

  function endOutage(address: string): void {
    const outage = outages.get(address);
    if (outages.delete(address) && outage) callSafely(() => onOutage({ ...outage, over: true }));
  }

  /** Returns the answers that are cached. */
  function kept(): AnswerData[] {
    return [...copies.values()].map(({ data }) => data);
  }

  /** Fetches a file from the service. Only browsers wait for it, never a page's HTML. */
  function fetchFile(path: string): Promise<Response> {
    return askService(fetch, origin + path, { headers: {}, signal: AbortSignal.timeout(10 * deadline) });
  }
}

/**
 * Reads an answer.
 * @throws Error with the reason if it is unusable
 */
async function read(response: Response): Promise<Copy> {
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error([response.status, response.headers.get("x-fragment-error") ?? response.statusText].join(": "));
  }
  const bytes = await readBytes(response);
  // Some servers answer unknown paths with a page.
  if (response.headers.get("content-type")?.startsWith("text/html"))
    throw new Error("a page has answered: does /fragments/ reach the service?");
  const data: AnswerData = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof data.html !== "string" || typeof data.head !== "string") throw new Error("the answer is no fragment");
  const tags = data.tags ?? (response.headers.get("surrogate-key") ?? "").split(" ");
  return { data, tags, bytes: bytes.length, etag: response.headers.get("etag"), ...lifetimesOf(response) };
}

/** Returns the cookies of staff who preview. An empty text for all other visitors, who share their copies. */
function cookiesOfPreview(header: string): string {
  const cookies = header.split(/; */);
  if (!cookies.some((cookie) => cookie.startsWith("PreviewContext="))) return "";
  return cookies.filter((cookie) => previewCookies.test(cookie)).join("; ");
}

function currentOf(copy: Copy | undefined): FragmentAnswer | undefined {
  return copy && { data: copy.data, isStale: false };
}

/** Waits for a promise that never rejects, but no longer than the given time. */
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

function warn({ fragment, site, reason, since, over }: Outage): void {
  const what = over ? `is back, after an outage since ${since.toISOString()}` : `has an outage: ${reason}`;
  // biome-ignore lint/suspicious/noConsole: the default of an option
  console.warn(`storefront-fragments: the ${fragment} of ${site} ${what}`);
}
