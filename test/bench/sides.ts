/** The two builds that are compared: that of a commit, and that of the working tree. */
export type Side = "base" | "now";

/** A value for each side. */
export type Both<Value> = Record<Side, Value>;

/** Does the same work for both sides, one after the other. */
export async function byTurns<Value>(first: Side, work: (side: Side) => Promise<Value>): Promise<Both<Value>> {
  if (first === "base") {
    const base = await work("base");
    return { base, now: await work("now") };
  }
  const now = await work("now");
  return { base: await work("base"), now };
}
