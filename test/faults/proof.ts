/** A promise of the service, tried against the real process. */
export interface Proof {
  name: string;
  /** One sentence for the report: what the proof does to the service. */
  does: string;
  /** Whether the short form leaves it out, because its measurements mean nothing beside other tests. */
  isLong?: boolean;
  /** Whether its bounds are seconds that it mostly waits for, so that the short form runs it beside its like. */
  waits?: boolean;
  /** Runs the proof, and measures the outcome. Throws only if the proof can't be run at all. */
  run(trial: Trial): Promise<Figure[]>;
}

export interface Trial {
  /** Decides all random choices. */
  seed: number;
  /** How much is done: 1 is the long form, 0.03 three hundredths of it. */
  scale: number;
  /** URL of a PostgreSQL server, for a role that may create databases. */
  postgresUrl: string;
  /** Path of a Chromium's executable. */
  browserPath: string;
  /** Paths of the programs of edges. */
  nginxPath: string;
  varnishPath: string;
}

/** A measurement of a proof, with its bound. */
export interface Figure {
  name: string;
  value: string;
  bound: string;
  ok: boolean;
}

/** Scales a count of the long form down, but not below the minimum. */
export function scaled(count: number, { scale }: Trial, least = 1): number {
  return Math.max(least, Math.round(count * scale));
}

/** A figure that shows how much was done, so that a proof that does nothing fails. */
export function atLeast(name: string, value: number, bound: number, unit = ""): Figure {
  return { name, value: format(value, unit), bound: `≥ ${format(bound, unit)}`, ok: value >= bound };
}

export function atMost(name: string, value: number, bound: number, unit = ""): Figure {
  return { name, value: format(value, unit), bound: `≤ ${format(bound, unit)}`, ok: value <= bound };
}

/** A figure that counts forbidden things. Its value shows the first few. */
export function none(name: string, found: readonly string[]): Figure {
  const shown = found.slice(0, 3).map((text) => text.slice(0, 600));
  return { name, value: [found.length, ...shown].join("; "), bound: "0", ok: found.length === 0 };
}

function format(value: number, unit: string): string {
  return `${Math.round(value * 100) / 100} ${unit}`.trim();
}
