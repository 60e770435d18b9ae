import { type Milliseconds, type Moment, minute } from "../rules/time.ts";
import { callService, type ServiceAnswer } from "./call-service.ts";

const statuses = ["SUCCESS", "BAD_REQUEST", "INTERNAL_ERROR", "UNAUTHORIZED"] as const;

/** How a call ended. A call without a useful answer counts as an internal error. */
export type PreviewStatus = (typeof statuses)[number];

/** The group of an A/B test that staff have chosen; both names are empty when they have chosen none. */
export interface GroupChoice {
  test: string;
  group: string;
}

/** The moment and the group of an A/B test that staff see the shop as. */
export interface PreviewState extends GroupChoice {
  dateTime: Temporal.Instant;
  /** Whether staff see the shop as everybody does. */
  isLive: boolean;
}

export type PreviewCheck =
  | { status: "SUCCESS"; state: PreviewState }
  /** `message` is the service's own, where it gives one. */
  | { status: Exclude<PreviewStatus, "SUCCESS">; message: string };

/** A moment at which something in the shop starts or ends. */
export interface ShopChange {
  dateTime: Temporal.Instant;
  changes: { name: string; change: "starts" | "ends" }[];
}

export interface ShopChanges {
  previous: ShopChange | undefined;
  next: ShopChange | undefined;
}

const base = "/service/preview/api";
/** A moment that is closer than this to the service's own time counts as the present. */
const present: Milliseconds = minute;

/** Asks whether staff are signed in, and what they preview. */
export async function checkPreview(): Promise<PreviewCheck> {
  const { status, body, date } = await call(`${base}/auth/checkauth`);
  const state = status === "SUCCESS" ? readState(body, date) : undefined;
  if (state) return { status: "SUCCESS", state };
  return { status: status === "SUCCESS" ? "INTERNAL_ERROR" : status, message: textOf(body.message) };
}

/** Prolongs the login of staff. */
export async function renewStaffLogin(): Promise<PreviewStatus> {
  return (await call(`${base}/auth/login/renew`, {})).status;
}

/** Logs staff out, and ends what they preview. */
export async function logOutStaff(): Promise<PreviewStatus> {
  return (await call(`${base}/auth/logout`, {})).status;
}

/**
 * Chooses what staff preview.
 * @param previewDateTime - the moment, in ISO 8601 with an offset or Z
 */
export async function setPreview(previewDateTime: string, { test, group }: GroupChoice): Promise<PreviewStatus> {
  const query = new URLSearchParams({ test, group });
  return (await call(`${base}/token?${query}`, { previewDateTime })).status;
}

/** Ends the preview. The present moment is sent for services that don't know `leave`: they show that instead. */
export async function leavePreview(): Promise<PreviewStatus> {
  const previewDateTime = Temporal.Now.instant().toString();
  return (await call(`${base}/token?test=&group=&leave=true`, { previewDateTime })).status;
}

/**
 * Makes a link by which other staff preview the same.
 * @param path - path and query of the page that the link leads to
 * @returns undefined when the service makes none
 */
export async function shareLink(path: string): Promise<{ url: string; expiresAt: Temporal.Instant } | undefined> {
  const { status, body } = await call(`${base}/share`, { path });
  const [url, expiresAt] = [textOf(body.url), readInstant(body.expiresAt)];
  return status === "SUCCESS" && url && expiresAt ? { url, expiresAt } : undefined;
}

/** Asks when the shop of a site changes for the last time before a moment, and for the first time after it. */
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
  return { status, body: answer.body, date: Date.parse(answer.response.headers.get("Date") ?? "") || Date.now() };
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
