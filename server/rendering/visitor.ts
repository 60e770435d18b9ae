/** What fragments and pages know of the sender of a request, as the features that find it out tell them. */
import type { Request } from "express";
import type { Moment } from "../../client/rules/time.ts";

/** Which shop staff see: that of a moment, as a group of an A/B test sees it. */
export interface Preview {
  at: Moment;
  selection?: { test: string; group: string };
}

/** A preview that the sender of a request has chosen. */
export interface RequestedPreview extends Preview {
  /** The Cookie header with which other services find the same preview. */
  cookie: string;
}

/** Returns what the sender of a request previews; undefined for everybody else. */
export type PreviewOf = (request: Pick<Request, "cookies">) => Promise<RequestedPreview | undefined>;

/** The session of a customer who is signed in. */
export interface Session {
  /** Whose session it is; undefined where a real login service alone knows. */
  customer?: { email: string; firstName?: string | undefined };
}

/** Returns the session of the sender of a request; undefined when nobody is signed in. */
export type SessionOf = (request: Request) => Promise<Session | undefined>;
