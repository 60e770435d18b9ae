export type Platform = "MATCH" | "TABLET" | "CLASSIC";

/** The platform for each value of the cookie `platform`, which the view changer or the edge has set. */
export const chosenPlatforms: ReadonlyMap<unknown, Platform> = new Map([
  ["smartphone", "MATCH"],
  ["tablet", "TABLET"],
  ["desktop", "CLASSIC"],
]);
