import type { Moment } from "../../../client/rules/time.ts";
import type { Site } from "../../sites/countries.ts";
import type { ConsentEvent } from "./newsletter-tables.ts";
import type { State } from "./states.ts";

/** Working days until Türkiye's register has to know of a consent, or it doesn't count: https://www.iys.org.tr */
const businessDays = 3;
const timeZone = "Europe/Istanbul";
const saturday = 6;

/** A consent or its end, as the register's interface takes it. */
export interface IysEntry {
  recipient: string;
  recipientType: "BIREYSEL";
  type: "EPOSTA";
  source: "HS_WEB";
  /** ONAY is a consent, RET its end. */
  status: "ONAY" | "RET";
  /** In Türkiye's time, such as `2026-11-21 18:04:05`. */
  consentDate: string;
}

/**
 * Tells until when the register has to know of an event.
 * @param state - the state of the subscription before the event
 * @returns null when there is nothing to tell the register
 */
export function dueAtIys(site: Site | undefined, event: ConsentEvent, state: State, at: Moment): Moment | null {
  if (site?.newsletter.consentRegister !== "IYS") return null;
  const concerns = event === "confirmed" || (event === "withdrawn" && state === "confirmed");
  return concerns ? registerDeadline(at) : null;
}

export function toIysEntry(recipient: string, event: ConsentEvent, at: Moment): IysEntry {
  const time = zoned(at).toPlainDateTime().toString({ smallestUnit: "second" }).replace("T", " ");
  const status = event === "confirmed" ? "ONAY" : "RET";
  return { recipient, recipientType: "BIREYSEL", type: "EPOSTA", source: "HS_WEB", status, consentDate: time };
}

/**
 * Tells until when the register has to know of what happened at a time. Public holidays aren't known here, which makes
 * the time shorter than it has to be.
 */
export function registerDeadline(at: Moment): Moment {
  let time = zoned(at);
  for (let left = businessDays; left > 0; ) {
    time = time.add({ days: 1 });
    if (time.dayOfWeek < saturday) left--;
  }
  return time.epochMilliseconds;
}

function zoned(at: Moment): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
}
