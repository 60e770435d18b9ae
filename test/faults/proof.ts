/** Something that the service promises, tried against the real process. */
export interface Proof {
  name: string;
  /** One sentence for the report: what is done to the service. */
  does: string;
  /** Whether it is left out of the short form, as what it measures means nothing beside other tests. */
  isLong?: boolean;
  /** Does it, and measures what came of it. It throws only when it can't be done at all. */
  run(trial: Trial): Promise<Figure[]>;
}

export interface Trial {
  /** Decides everything that is drawn at random. */
  seed: number;
  /** How much is done: 1 is the long form, 0.03 three hundredths of it. */
  scale: number;
  /** Address of a PostgreSQL server, as one who may create databases. */
  postgresUrl: string;
  /** Path of a Chromium's executable. */
  browserPath: string;
  /** Paths of the programs of edges. */
  nginxPath: string;
  varnishPath: string;
}

/** What a proof has measured, beside the bound it has to keep. */
export interface Figure {
  name: string;
  value: string;
  bound: string;
  ok: boolean;
}

/** Scales a count of the long form; at least one is left. */
export function scaled(count: number, { scale }: Trial, least = 1): number {
  return Math.max(least, Math.round(count * scale));
}

/** A figure that says how much was done, so that a proof that does nothing fails. */
export function atLeast(name: string, value: number, bound: number, unit = ""): Figure {
  return { name, value: format(value, unit), bound: `≥ ${format(bound, unit)}`, ok: value >= bound };
}

export function atMost(name: string, value: number, bound: number, unit = ""): Figure {
  return { name, value: format(value, unit), bound: `≤ ${format(bound, unit)}`, ok: value <= bound };
}

/** A figure that counts what must not be; its value shows the first few. */
export function none(name: string, found: readonly string[]): Figure {
  const shown = found.slice(0, 3).map((text) => text.slice(0, 300));
  return { name, value: [found.length, ...shown].join("; "), bound: "0", ok: found.length === 0 };
}

function format(value: number, unit: string): string {
  return `${Math.round(value * 100) / 100} ${unit}`.trim();
}
