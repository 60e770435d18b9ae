import { type Milliseconds, type Moment, minute } from "../../rules/time.ts";
import { callService, type ServiceAnswer, timeout } from "../../services/call-service.ts";

const statuses = ["SUCCESS", "BAD_REQUEST", "INTERNAL_ERROR", "UNAUTHORIZED"] as const;

/** The result of a call. A call without a useful answer counts as an internal error. */
type PreviewStatus = (typeof statuses)[number];

/** The selected group of an A/B test; both names are empty without a selection. */
export interface GroupChoice {
  test: string;
  group: string;
}

/** The previewed moment and group of an A/B test. */
export interface PreviewState extends GroupChoice {
  dateTime: Temporal.Instant;
  /** Whether staff see the shop as shoppers do. */
  isLive: boolean;
}

type PreviewCheck =
  | { status: "SUCCESS"; state: PreviewState }
  /** `message` is the service's, or empty. */
  | { status: Exclude<PreviewStatus, "SUCCESS">; message: string };

/** A moment at which parts of the shop start or end. */
interface ShopChange {
  dateTime: Temporal.Instant;
  changes: { name: string; change: "starts" | "ends" }[];
}

export interface ShopChanges {
  previous: ShopChange | undefined;
  next: ShopChange | undefined;
}

const base = "/service/preview/api";
/** A moment closer than this to the service's time counts as the present. */
const present: Milliseconds = minute;

/** Fetches whether staff are signed in, and what they preview. */
export async function fetchPreview(): Promise<PreviewCheck> {
  const { status, body, date } = await call(`${base}/auth/checkauth`);
  const state = status === "SUCCESS" ? readState(body, date) : undefined;
  if (state) return { status: "SUCCESS", state };
  return { status: status === "SUCCESS" ? "INTERNAL_ERROR" : status, message: textOf(body.message) };
}

/** Renews the login of staff. */
export async function renewStaffLogin(): Promise<PreviewStatus> {
  return (await call(`${base}/auth/login/renew`, {})).status;
}

/** Logs staff out and ends their preview. */
export async function logOutStaff(): Promise<PreviewStatus> {
  return (await call(`${base}/auth/logout`, {})).status;
}

/**
 * Sets what staff preview.
 * @param previewDateTime - the moment, in ISO 8601 with an offset or Z
 */
export async function setPreview(previewDateTime: string, { test, group }: GroupChoice): Promise<PreviewStatus> {
  const query = new URLSearchParams({ test, group });
  return (await call(`${base}/token?${query}`, { previewDateTime })).status;
}

/** Ends the preview. A service that doesn't know `leave` shows the current time instead. */
export async function leavePreview(): Promise<PreviewStatus> {
  const previewDateTime = Temporal.Now.instant().toString();
  return (await call(`${base}/token?test=&group=&leave=true`, { previewDateTime })).status;
}

/**
 * Creates a link by which other staff see the same preview.
 * @param path - path and query of the linked page
 * @returns undefined if the service creates none
 */
export async function shareLink(path: string): Promise<{ url: string; expiresAt: Temporal.Instant } | undefined> {
  const { status, body } = await call(`${base}/share`, { path });
  const [url, expiresAt] = [textOf(body.url), readInstant(body.expiresAt)];
  return status === "SUCCESS" && url && expiresAt ? { url, expiresAt } : undefined;
}

/** Fetches the last change of a site's shop before a moment, and the first one after it. */
export async function fetchChanges(site: string, after: Temporal.Instant): Promise<ShopChanges> {
  const query = new URLSearchParams({ site, after: after.toString() });
  const { body } = await call(`${base}/changes?${query}`);
  return { previous: readChange(body.previous), next: readChange(body.next) };
}

interface PreviewAnswer {
  status: PreviewStatus;
  body: ServiceAnswer["body"];
  /** The service's time. */
  date: Moment;
}

/** @param body - makes the call a POST */
async function call(address: string, body?: object): Promise<PreviewAnswer> {
  const answer = await callService(address, {
    ...(body && { method: "POST", body }),
    cache: "no-store",
    credentials: "include",
    redirect: "error",
  });
  const status = statuses.find((known) => known === answer.body.status) ?? "INTERNAL_ERROR";
  return { status, body: answer.body, date: Date.parse(answer.response.headers.get("Date") ?? "") };
}

function readState(body: ServiceAnswer["body"], date: Moment): PreviewState | undefined {
  const dateTime = readInstant(body.dateTime);
  if (!dateTime) return undefined;
  const [test, group] = [textOf(body.abTestName), textOf(body.abTestGroup)];
  const isPresent = Math.abs(dateTime.epochMilliseconds - date) < present;
  return { dateTime, test, group, isLive: isPresent && test === "" };
}

function readChange(change: unknown): ShopChange | undefined {
  const { dateTime, changes } = Object(change);
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

/** An A/B test with its groups. */
export interface AbTestOffer {
  name: string;
  groups: string[];
}

/**
 * Fetches the A/B tests that are active at a moment.
 * @returns undefined without a useful answer
 */
export async function fetchAbTests(at: Temporal.Instant): Promise<AbTestOffer[] | undefined> {
  const query = new URLSearchParams({ time: at.toString({ smallestUnit: "second" }) });
  const { response, body } = await callService(`/service/abtestfrontend/api/v1/gettestsat?${query}`, {
    cache: "no-store",
  });
  if (!response.ok || !Array.isArray(body)) return undefined;
  const tests = body.map(readTest);
  return tests.every((test) => test !== undefined) ? tests : undefined;
}

/**
 * Reads an A/B test.
 * @param test - in the service's format: `{ name: "teaser", groups: [{ name: "A" }] }`
 */
function readTest(test: unknown): AbTestOffer | undefined {
  const { name, groups } = Object(test);
  return Array.isArray(groups) ? { name, groups: groups.map((group) => Object(group).name) } : undefined;
}

/** Whether the staff login page exists. A real preview service may have a page of its own. */
export async function hasStaffLogin(): Promise<boolean> {
  try {
    return (await fetch("/preview", { method: "HEAD", signal: AbortSignal.timeout(timeout) })).ok;
  } catch {
    return false;
  }
}
