import type { Moment } from "../../../../client/rules/time.ts";
import type { Site } from "../../../sites/countries.ts";
import type { FooterChange } from "../../../sites/footer-versions.ts";
import type { Database } from "../../../store/open-store.ts";

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
) {
  const promotions = db.selectFrom("promotion").select(["headline as name", "validFrom", "validTo"]);
  const tests = db.selectFrom("abTest").select(["name", "validFrom", "validTo"]);
  const all = [
    ...changesOf("promotion", await promotions.where("site", "=", site).orderBy("name").execute()),
    ...changesOf("test", await tests.orderBy("name").execute()),
    ...ofFooter.map((change) => ({ ...change, kind: "footer" })),
  ];
  const moments = all.map(({ at }) => at);
  return {
    previous: changesAt(Math.max(...moments.filter((at) => at < time))),
    next: changesAt(Math.min(...moments.filter((at) => at > time))),
  };

  function changesAt(moment: Moment) {
    const changes = all.filter(({ at }) => at === moment).map(({ kind, name, change }) => ({ kind, name, change }));
    return changes.length > 0 ? { at: moment, changes } : undefined;
  }
}

function changesOf(kind: string, periods: { name: string; validFrom: Moment; validTo: Moment | null }[]) {
  return periods.flatMap(({ name, validFrom, validTo }) => [
    ...(validTo === null ? [] : [{ at: validTo, kind, name, change: "ends" }]),
    { at: validFrom, kind, name, change: "starts" },
  ]);
}
