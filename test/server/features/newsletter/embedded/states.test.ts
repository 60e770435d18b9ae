import { describe, expect, it } from "vitest";
import {
  type State,
  type SubscriptionEvent,
  transition,
} from "../../../../../server/features/newsletter/embedded/newsletter-tables.ts";

const states = ["none", "pending", "confirmed", "withdrawn", "refused", "expired"] as const;
const nowhere = undefined;

/** Where each event leads from each state, in the order above. */
const table: Record<SubscriptionEvent, (State | undefined)[]> = {
  signUp: ["pending", "pending", "confirmed", "pending", "pending", "pending"],
  resend: [nowhere, "pending", nowhere, nowhere, nowhere, "pending"],
  confirm: [nowhere, "confirmed", nowhere, nowhere, nowhere, nowhere],
  refuse: [nowhere, "refused", "withdrawn", "withdrawn", "refused", "refused"],
  unsubscribe: [nowhere, "withdrawn", "withdrawn", "withdrawn", "refused", "withdrawn"],
  expire: [nowhere, "expired", nowhere, nowhere, nowhere, nowhere],
  stop: [nowhere, nowhere, "withdrawn", nowhere, nowhere, nowhere],
};
const steps = Object.entries(table).flatMap(([event, row]) =>
  row.map((to, i) => ({ event: event as SubscriptionEvent, from: states[i] ?? "none", to })),
);

describe("a subscription", () => {
  it.each(steps)("goes on $event from $from to $to", ({ event, from, to }) => {
    expect(transition(from, event)).toBe(to);
  });

  it("is confirmed by nothing but the confirmation of a pending sign-up", () => {
    const ways = steps.filter(({ from, to }) => to === "confirmed" && from !== "confirmed");
    expect(ways).toEqual([{ event: "confirm", from: "pending", to: "confirmed" }]);
  });
});
