/**
 * Where a subscription stands: asked for, confirmed by the mailbox's owner, ended, denied, or asked for too long ago.
 */
export type State = (typeof states)[number];

export const states = ["pending", "confirmed", "withdrawn", "refused", "expired"] as const;

export type Event = "signUp" | "resend" | "confirm" | "refuse" | "unsubscribe" | "expire" | "stop";

/**
 * The state to which an event leads from each state; an event means nothing in the others. `none` is no subscription.
 */
const transitions: Record<Event, Partial<Record<State | "none", State>>> = {
  signUp: {
    none: "pending",
    pending: "pending",
    confirmed: "confirmed",
    withdrawn: "pending",
    refused: "pending",
    expired: "pending",
  },
  resend: { pending: "pending", expired: "pending" },
  confirm: { pending: "confirmed" },
  refuse: {
    pending: "refused",
    expired: "refused",
    refused: "refused",
    confirmed: "withdrawn",
    withdrawn: "withdrawn",
  },
  unsubscribe: {
    pending: "withdrawn",
    confirmed: "withdrawn",
    withdrawn: "withdrawn",
    refused: "refused",
    expired: "withdrawn",
  },
  expire: { pending: "expired" },
  stop: { confirmed: "withdrawn" },
};

/** Gives the state after an event; undefined when the event means nothing in this state. */
export function transition(from: State | "none", event: Event): State | undefined {
  return transitions[event][from];
}
