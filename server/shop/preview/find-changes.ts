import { type NotNull, sql } from "kysely";
import type { Moment } from "../../../client/rules/time.ts";
import type { Change, Changes } from "../../services/preview-service.ts";
import type { Site } from "../../sites/countries.ts";
import type { Database } from "../store/open-store.ts";

/** Tells when a site's footer changes, at any time: what its country's data say. */
export type FooterChanges = (site: Site) => (Omit<Change, "kind"> & { at: Moment })[];

interface ChangeSources {
  db: Database;
  footerChanges: FooterChanges;
}

const directions = {
  next: { comparison: ">", order: "asc", nearest: Math.min, follows: (at: Moment, time: Moment) => at > time },
  previous: { comparison: "<", order: "desc", nearest: Math.max, follows: (at: Moment, time: Moment) => at < time },
} as const;

/**
 * Finds the changes of a site that are nearest to a time, strictly after or before it.
 * @returns all changes of that moment; undefined when there are none in that direction
 */
export async function findNearestChanges(
  { db, footerChanges }: ChangeSources,
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
  const ofFooter = footerChanges(site).filter(({ at }) => follows(at, time));
  const moments = [...stored, ...ofFooter].map(({ at }) => at);
  return moments.length > 0 ? findChangesAt({ db, footerChanges }, site, nearest(...moments)) : undefined;
}

async function findChangesAt({ db, footerChanges }: ChangeSources, site: Site, at: Moment): Promise<Changes> {
  const stored = await storedChanges(db, site)
    .select(["kind", "name", "change"])
    .where("at", "=", at)
    .orderBy("kind")
    .orderBy("name")
    .orderBy("change")
    .execute();
  const ofFooter = footerChanges(site).filter((change) => change.at === at);
  return {
    at,
    changes: [...stored, ...ofFooter.map(({ name, change }) => ({ kind: "footer" as const, name, change }))],
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
