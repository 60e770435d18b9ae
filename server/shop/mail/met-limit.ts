/** A limit that a mail has met which somebody has asked for, and what came of it. */
export interface MetLimit {
  /** Calls of a network; mails to a mailbox, of a site, of all sites; or the list of who gets none. */
  limit: "network" | "mailbox" | "site" | "all" | "suppressed";
  /** The call was refused, or it was taken and its mail waits, or there is none. */
  outcome: "refused" | "postponed" | "dropped";
}
