import { type Milliseconds, type Moment, minute } from "../rules/time.ts";
import { callService, type ServiceAnswer } from "./call-service.ts";

const statuses = ["SUCCESS", "BAD_REQUEST", "INTERNAL_ERROR", "UNAUTHORIZED"] as const;

/** How a call went; one without a useful answer is an internal error. */
export type PreviewStatus = (typeof statuses)[number];

/** A group of an A/B test; both empty when none is chosen. */
export interface GroupChoice {
  test: string;
  group: string;
}

/** What the shop is shown as. */
export interface PreviewState extends GroupChoice {
  dateTime: Temporal.Instant;
  /** Nothing is chosen: it is the shop as it is. */
  isLive: boolean;
}

export type PreviewCheck =
  | { status: "SUCCESS"; state: PreviewState }
  /** `message` is the service's own, where it gives one. */
  | { status: Exclude<PreviewStatus, "SUCCESS">; message: string };

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
/** A choice so close to the service's own time is the present. */
const present: Milliseconds = minute;

/** Asks whether staff are signed in, and what they preview. */
export async function checkPreview(): Promise<PreviewCheck> {
  const { status, body, date } = await call(`${base}/auth/checkauth`);
  const state = status === "SUCCESS" ? readState(body, date) : undefined;
  if (state) return { status: "SUCCESS", state };
  return { status: status === "SUCCESS" ? "INTERNAL_ERROR" : status, message: textOf(body.message) };
}

export async function renewStaffLogin(): Promise<PreviewStatus> {
  return (await call(`${base}/auth/login/renew`, {})).status;
}

export async function logOutStaff(): Promise<PreviewStatus> {
  return (await call(`${base}/auth/logout`, {})).status;
}

/** @param previewDateTime - ISO 8601 with offset or Z */
export async function setPreview(previewDateTime: string, { test, group }: GroupChoice): Promise<PreviewStatus> {
  const query = new URLSearchParams({ test, group });
  return (await call(`${base}/token?${query}`, { previewDateTime })).status;
}

/** Ends the preview. A service that doesn't know how to shows the present instead. */
export async function leavePreview(): Promise<PreviewStatus> {
  const previewDateTime = Temporal.Now.instant().toString();
  return (await call(`${base}/token?test=&group=&leave=true`, { previewDateTime })).status;
}

/**
 * Makes a link by which other staff see the same.
 * @param path - of the page it leads to
 */
export async function shareLink(path: string): Promise<{ url: string; expiresAt: Temporal.Instant } | undefined> {
  const { status, body } = await call(`${base}/share`, { path });
  const [url, expiresAt] = [textOf(body.url), readInstant(body.expiresAt)];
  return status === "SUCCESS" && url && expiresAt ? { url, expiresAt } : undefined;
}

/** Asks for the moments right before and after another at which the shop of a site changes. */
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

/** @param body - what a change sends; without it the call only asks */
async function call(address: string, body?: object): Promise<PreviewAnswer> {
  const answer = await callService(address, {
    ...(body && { method: "POST", body }),
    cache: "no-store",
    credentials: "include",
    redirect: "error",
  });
  const status = statuses.find((known) => known === answer.body.status) ?? "INTERNAL_ERROR";
  return { status, body: answer.body, date: Date.parse(answer.headers.get("Date") ?? "") || Date.now() };
}

function readState(body: ServiceAnswer["body"], date: Moment): PreviewState | undefined {
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
