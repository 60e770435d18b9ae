/** Where a subscription stands: asked for, confirmed by the mailbox's owner, ended, denied, or asked for too long ago. */
export type State = "pending" | "confirmed" | "withdrawn" | "refused" | "expired";

export type Event = "signUp" | "resend" | "confirm" | "refuse" | "unsubscribe" | "expire" | "stop";

/** Where each event leads from each state; from one that isn't named it leads nowhere. `none`: there is no subscription. */
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

/** @returns undefined when the event means nothing in this state */
export function transition(from: State | "none", event: Event): State | undefined {
  return transitions[event][from];
}
