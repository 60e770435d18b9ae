export type Platform = "MATCH" | "TABLET" | "CLASSIC";

/** Platforms by the value of the cookie `platform`, which the view changer or the edge sets. */
export const chosenPlatforms: ReadonlyMap<unknown, Platform> = new Map([
  ["smartphone", "MATCH"],
  ["tablet", "TABLET"],
  ["desktop", "CLASSIC"],
]);
