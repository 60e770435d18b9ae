import type { Differs } from "./check-value.ts";

/** A difference between an answer and what it must be. */
interface Deviation {
  /** Method and documented path. */
  call: string;
  /** In which cases the call was made, with semicolons between them. */
  case: string;
  /** `status`, a header, a cookie with its attribute, the path of a value in the JSON, or `answer` for the whole. */
  field: string;
  /** The end of a sentence that begins with the field, such as `must be 200`. */
  expected: string;
  /** What is there the first time. */
  found: string;
  /** The line for a shell that shows it. It names variables in place of passwords, tokens and cookies. */
  curl: string;
}

/** What a check has found. */
export interface Report {
  service: string;
  url: string;
  /** How often each call was made. */
  calls: Record<string, number>;
  deviations: Deviation[];
  /** What wasn't checked, and why. */
  notChecked: string[];
}

/** Reports that `what` isn't checked, and why. */
export type Skip = (what: string, why: string) => void;

export type Findings = ReturnType<typeof createFindings>;

/** Creates the collection of what a check finds: each deviation once, with all its cases. */
export function createFindings() {
  const calls = new Map<string, number>();
  const deviations = new Map<string, Deviation>();
  const notChecked = new Set<string>();
  const skip: Skip = (what, why) => void notChecked.add(`${what} (${why})`);
  return { count, skip, report };

  /** Counts a call. Returns the function that reports how its answer differs. */
  function count({ call, case: ownCase, curl }: Pick<Deviation, "call" | "case" | "curl">): Differs {
    calls.set(call, (calls.get(call) ?? 0) + 1);
    return (field, expected, found) => {
      const key = `${call} ${field} ${expected}`;
      const known = deviations.get(key);
      if (!known) deviations.set(key, { call, case: ownCase, field, expected, found, curl });
      else if (!known.case.split("; ").includes(ownCase)) known.case += `; ${ownCase}`;
    };
  }

  /** @param url - of the service; of all providers, with commas between them */
  function report(service: string, url: string): Report {
    return {
      service,
      url,
      calls: Object.fromEntries(calls),
      deviations: [...deviations.values()],
      notChecked: [...notChecked],
    };
  }
}
