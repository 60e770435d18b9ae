/** A length of time in milliseconds. */
export type Milliseconds = number;

/** A point in time: milliseconds since the beginning of 1970 in UTC, as `Date.now()` counts them. */
export type Moment = number;

export const second: Milliseconds = 1_000;
export const minute: Milliseconds = 60 * second;
export const hour: Milliseconds = 60 * minute;
export const day: Milliseconds = 24 * hour;
