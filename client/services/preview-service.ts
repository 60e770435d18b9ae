/** The calls of the preview panel. None throws: what goes wrong is a status, or nothing. */

const statuses = ["SUCCESS", "BAD_REQUEST", "INTERNAL_ERROR", "UNAUTHORIZED"] as const;

/** How a call went; one without a useful answer is an internal error. */
export type PreviewStatus = (typeof statuses)[number];

/** A group of an A/B test; both empty when none is chosen. */
export interface Selection {
  test: string;
  group: string;
}

/** What the shop is shown as. */
export interface PreviewState extends Selection {
  dateTime: Temporal.Instant;
  /** Nothing is chosen: it is the shop as it is. */
  isLive: boolean;
}

export type PreviewCheck =
  | { status: "SUCCESS"; state: PreviewState }
  /** `message` is the service's own, where it gives one. */
  | { status: Exclude<PreviewStatus, "SUCCESS">; message: string };

export interface AbTest {
  name: string;
  groups: string[];
}

/** A moment at which something starts or ends. */
export interface ShopChange {
  dateTime: Temporal.Instant;
  changes: { name: string; change: "starts" | "ends" }[];
}

export interface ShopChanges {
  previous: ShopChange | undefined;
  next: ShopChange | undefined;
}

const base = "/service/preview/api";
/** Longest wait for an answer, in milliseconds. */
const timeout = 15_000;
/** A choice so close to the service's own time is the present, in milliseconds. */
const present = 60_000;

/** Asks whether staff are signed in, and what they preview. */
export async function checkPreview(): Promise<PreviewCheck> {
  const { status, body, date } = await call("GET", `${base}/auth/checkauth`);
  const state = status === "SUCCESS" ? readState(body, date) : undefined;
  if (state) return { status: "SUCCESS", state };
  return { status: status === "SUCCESS" ? "INTERNAL_ERROR" : status, message: textOf(body.message) };
}

export async function renewStaffLogin(): Promise<PreviewStatus> {
  return (await call("POST", `${base}/auth/login/renew`)).status;
}

export async function logOutStaff(): Promise<PreviewStatus> {
  return (await call("POST", `${base}/auth/logout`)).status;
}

/** @param previewDateTime - ISO 8601 with offset or Z */
export async function setPreview(previewDateTime: string, { test, group }: Selection): Promise<PreviewStatus> {
  const query = new URLSearchParams({ test, group });
  return (await call("POST", `${base}/token?${query}`, { previewDateTime })).status;
}

/** Ends the preview. A service that doesn't know how to shows the present instead. */
export async function leavePreview(): Promise<PreviewStatus> {
  const previewDateTime = Temporal.Now.instant().toString();
  return (await call("POST", `${base}/token?test=&group=&leave=true`, { previewDateTime })).status;
}

/**
 * Makes a link by which other staff see the same.
 * @param path - of the page it leads to
 */
export async function shareLink(path: string): Promise<{ url: string; expiresAt: Temporal.Instant } | undefined> {
  const { status, body } = await call("POST", `${base}/share`, { path });
  const [url, expiresAt] = [textOf(body.url), readInstant(body.expiresAt)];
  return status === "SUCCESS" && url && expiresAt ? { url, expiresAt } : undefined;
}

/** Asks for the moments right before and after another at which the shop of a site changes. */
export async function fetchChanges(site: string, after: Temporal.Instant): Promise<ShopChanges> {
  const query = new URLSearchParams({ site, after: after.toString() });
  const { body } = await call("GET", `${base}/changes?${query}`);
  return { previous: readChange(body.previous), next: readChange(body.next) };
}

/**
 * Asks which A/B tests are active at a time.
 * @throws Error when the answer is useless
 */
export async function fetchTests(at: Temporal.Instant): Promise<AbTest[]> {
  const query = new URLSearchParams({ time: at.toString({ smallestUnit: "second" }) });
  const response = await fetch(`/service/abtestfrontend/api/v1/gettestsat?${query}`, {
    cache: "no-store",
    signal: AbortSignal.timeout(timeout),
  });
  const tests: unknown = await response.json();
  if (!response.ok || !Array.isArray(tests)) throw new Error(`no list of tests: ${response.status}`);
  return tests.map(({ name, groups }: { name: string; groups: { name: string }[] }) => ({
    name,
    groups: groups.map((group) => group.name),
  }));
}

interface Answer {
  status: PreviewStatus;
  body: Record<string, unknown>;
  /** The service's time, in milliseconds since 1970 UTC. */
  date: number;
}

async function call(method: "GET" | "POST", address: string, body: object = {}): Promise<Answer> {
  try {
    const response = await fetch(address, {
      method,
      ...(method === "POST" && {
        headers: { "Content-Type": "application/json", "X-hunter-csrf": "1" },
        body: JSON.stringify(body),
      }),
      cache: "no-store",
      credentials: "include",
      redirect: "error",
      signal: AbortSignal.timeout(timeout),
    });
    const answer = { ...(await response.json()) };
    const status = statuses.find((known) => known === answer.status) ?? "INTERNAL_ERROR";
    return { status, body: answer, date: Date.parse(response.headers.get("Date") ?? "") || Date.now() };
  } catch {
    return { status: "INTERNAL_ERROR", body: {}, date: Date.now() };
  }
}

function readState(body: Answer["body"], date: number): PreviewState | undefined {
  const dateTime = readInstant(body.dateTime);
  if (!dateTime) return undefined;
  const [test, group] = [textOf(body.abTestName), textOf(body.abTestGroup)];
  const isPresent = Math.abs(dateTime.epochMilliseconds - date) < present;
  return { dateTime, test, group, isLive: isPresent && test === "" };
}

function readChange(change: unknown): ShopChange | undefined {
  const { dateTime, changes } = { dateTime: undefined, changes: [], ...(change as Partial<ShopChange> | null) };
  const at = readInstant(dateTime);
  return at && { dateTime: at, changes };
}

function readInstant(time: unknown): Temporal.Instant | undefined {
  try {
    return Temporal.Instant.from(textOf(time));
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
