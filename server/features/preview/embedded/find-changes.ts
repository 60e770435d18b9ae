import { type NotNull, sql } from "kysely";
import type { Moment } from "../../../../client/rules/time.ts";
import type { Site } from "../../../sites/countries.ts";
import type { FooterChange } from "../../../sites/footer-versions.ts";
import type { Database } from "../../../store/open-store.ts";
import type { Change, Changes } from "../service.ts";

/** Lists the changes of a site's footer, in the order of time. */
export type FooterChanges = (site: Site) => FooterChange[];

const directions = {
  next: { comparison: ">", order: "asc", nearest: Math.min, follows: (at: Moment, time: Moment) => at > time },
  previous: { comparison: "<", order: "desc", nearest: Math.max, follows: (at: Moment, time: Moment) => at < time },
} as const;

/**
 * Finds the changes of a site nearest to a time, strictly after or before it.
 * @param ofFooter - the changes of the site's footer
 * @returns all changes of that moment; undefined when there are none in that direction
 */
export async function findNearestChanges(
  db: Database,
  ofFooter: readonly FooterChange[],
  site: Site,
  time: Moment,
  direction: keyof typeof directions,
): Promise<Changes | undefined> {
  const { comparison, order, nearest, follows } = directions[direction];
  const stored = await storedChanges(db, site)
    .select("at")
    .where("at", comparison, time)
    .orderBy("at", order)
    .limit(1)
    .execute();
  const moments = [...stored, ...ofFooter.filter(({ at }) => follows(at, time))].map(({ at }) => at);
  if (moments.length === 0) return undefined;
  const at = nearest(...moments);
  const storedThen = await storedChanges(db, site)
    .select(["kind", "name", "change"])
    .where("at", "=", at)
    .orderBy("kind")
    .orderBy("name")
    .orderBy("change")
    .execute();
  const ofFooterThen = ofFooter.filter((change) => change.at === at);
  return {
    at,
    changes: [...storedThen, ...ofFooterThen.map(({ name, change }) => ({ kind: "footer" as const, name, change }))],
  };
}

/**
 * Selects what starts or ends in the store for a site. A missing end is null, which no comparison with a time matches.
 */
function storedChanges(db: Database, { site }: Site) {
  const promotions = db.selectFrom("promotion").where("site", "=", site);
  const tests = db.selectFrom("abTest");
  return db.selectFrom(
    promotions
      .select(["validTo as at", "headline as name", kind("promotion"), change("ends")])
      .unionAll(promotions.select(["validFrom as at", "headline as name", kind("promotion"), change("starts")]))
      .unionAll(tests.select(["validTo as at", "name", kind("test"), change("ends")]))
      .unionAll(tests.select(["validFrom as at", "name", kind("test"), change("starts")]))
      .$narrowType<{ at: NotNull }>()
      .as("change"),
  );
}

function kind(value: Change["kind"]) {
  return sql.lit(value).as("kind");
}

function change(value: Change["change"]) {
  return sql.lit(value).as("change");
}
