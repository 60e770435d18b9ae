import type { Moment } from "../../../../client/rules/time.ts";
import type { Site } from "../../../sites/countries.ts";
import type { FooterChange } from "../../../sites/footer-versions.ts";
import type { Database } from "../../../store/open-store.ts";

/** An entry of the shop that starts or ends. */
interface Change {
  kind: "promotion" | "test" | "footer";
  name: string;
  change: "starts" | "ends";
}

/** All changes of one moment. */
interface Changes {
  at: Moment;
  changes: Change[];
}

/**
 * Finds the changes of a site nearest to a time, strictly before and after it.
 * @param ofFooter - the changes of the site's footer
 * @returns all changes of each moment; undefined when there are none in that direction
 */
export async function findNearestChanges(
  db: Database,
  ofFooter: readonly FooterChange[],
  { site }: Site,
  time: Moment,
): Promise<{ previous: Changes | undefined; next: Changes | undefined }> {
  const columns = ["name", "validFrom", "validTo"] as const;
  const promotions = db.selectFrom("promotion").select(["headline as name", "validFrom", "validTo"]);
  const tests = db.selectFrom("abTest").select(columns);
  const all = [
    ...(await promotions.where("site", "=", site).orderBy("name").execute()).flatMap(changesOf("promotion")),
    ...(await tests.orderBy("name").execute()).flatMap(changesOf("test")),
    ...ofFooter.map((change) => ({ ...change, kind: "footer" as const })),
  ];
  const moments = all.map(({ at }) => at);
  return {
    previous: changesAt(Math.max(...moments.filter((at) => at < time))),
    next: changesAt(Math.min(...moments.filter((at) => at > time))),
  };

  function changesAt(moment: Moment): Changes | undefined {
    const changes = all.filter(({ at }) => at === moment).map(({ kind, name, change }) => ({ kind, name, change }));
    return changes.length > 0 ? { at: moment, changes } : undefined;
  }
}

interface StoredPeriod {
  name: string;
  validFrom: Moment;
  validTo: Moment | null;
}

function changesOf(kind: Change["kind"]): (period: StoredPeriod) => (Change & { at: Moment })[] {
  return ({ name, validFrom, validTo }) => [
    ...(validTo === null ? [] : [{ at: validTo, kind, name, change: "ends" as const }]),
    { at: validFrom, kind, name, change: "starts" },
  ];
}
