import { Router } from "express";
import type { Moment } from "../../../client/rules/time.ts";
import { parseQueryTime } from "../../http/request-input.ts";
import { RequestError } from "../../platform/errors.ts";
import { timeRule } from "../../platform/time.ts";
import type { Database } from "../../store/open-store.ts";
import type { ActiveTest } from "./service.ts";

declare module "../../store/tables.ts" {
  interface Tables {
    abTest: AbTestTable;
    abTestGroup: AbTestGroupTable;
  }
}

interface AbTestTable {
  name: string;
  validFrom: Moment;
  /** The first moment after the test; null when it has no end. */
  validTo: Moment | null;
}

interface AbTestGroupTable {
  test: string;
  name: string;
  /** Index among the groups of its test. */
  position: number;
}

/** Answers the calls of the embedded A/B test service: the active tests, and the groups of the visitor. */
export function abTestRoutes(db: Database): Router {
  const router = Router();

  router.get("/service/abtestfrontend/api/v1/gettestsat", async ({ query }, response) => {
    const at = query.time === undefined ? Date.now() : parseQueryTime(query.time);
    if (at === undefined)
      throw new RequestError("badRequest", "time is wrong", { fields: [{ field: "time", message: timeRule }] });
    response.json(await findActiveTests(db, at));
  });

  // Assigning visitors to different groups would need an identifier, and so their consent: all are in the first group.
  router.get("/service/abtestfrontend/api/v1/getassignment", async (_request, response) => {
    const tests = await findActiveTests(db, Date.now());
    response.json(tests.flatMap(({ name, groups: [first] }) => (first ? [{ name, group: first.name }] : [])));
  });
  return router;
}

/** Finds the tests that are active at a moment, by name, with their groups in order. */
export async function findActiveTests(db: Database, at: Moment): Promise<ActiveTest[]> {
  const rows = await db
    .selectFrom("abTest")
    .innerJoin("abTestGroup", "abTestGroup.test", "abTest.name")
    .select(["abTest.name as test", "abTestGroup.name as group"])
    .where("validFrom", "<=", at)
    .where(({ eb, or }) => or([eb("validTo", "is", null), eb("validTo", ">", at)]))
    .orderBy("abTest.name")
    .orderBy("position")
    .execute();
  const groups = Map.groupBy(rows, ({ test }) => test);
  return [...groups].map(([name, members]) => ({ name, groups: members.map(({ group }) => ({ name: group })) }));
}

/** The demo's A/B test, which its promotions refer to. It is active since before 2026 began in any time zone. */
const demoTest = { name: "footer-promotion", validFrom: Date.UTC(2025, 11, 31), validTo: null };

/** Adds the demo's A/B test unless it exists; several replicas may do so at once. */
export async function seedDemoTest(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("abTest")
      .values(demoTest)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction
      .insertInto("abTestGroup")
      .values(["A", "B"].map((name, position) => ({ test: demoTest.name, name, position })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
