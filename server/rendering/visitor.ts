/** The facts about a request's sender that fragments and pages need. The features that find them out provide them. */
import type { Request } from "express";
import type { Moment } from "../../client/rules/time.ts";
import type { AbGroup } from "./ab-group.ts";

/** The shop that staff see: at a moment, for a group of an A/B test. */
export interface Preview {
  at: Moment;
  selection?: AbGroup;
}

/** A preview that the sender of a request has chosen. */
export interface RequestedPreview extends Preview {
  /** The Cookie header by which other services find the same preview. */
  cookie: string;
}

/** Returns the preview of a request's sender; undefined for everybody else. */
export type PreviewOf = (request: Pick<Request, "cookies">) => Promise<RequestedPreview | undefined>;

/** The session of a customer who is signed in. */
export interface Session {
  /** The customer; undefined if only a real login service knows it. */
  customer?: { email: string; firstName?: string | undefined };
}

/** Returns the session of a request's sender; undefined if nobody is signed in. */
export type SessionOf = (request: Request) => Promise<Session | undefined>;
