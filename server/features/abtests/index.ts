import type { Command } from "commander";
import { Router } from "express";
import { type Moment, second } from "../../../client/rules/time.ts";
import type { AbTestsAnswer } from "../../../schemas/types.ts";
import { parseQueryTime } from "../../http/request-input.ts";
import { RequestError } from "../../platform/errors.ts";
import { timeRule, toIso, toIsoOrNull } from "../../platform/time.ts";
import { createValidator } from "../../platform/validate.ts";
import type { Run } from "../../store/command.ts";
import type { Database } from "../../store/open-store.ts";
import { createFetchJson } from "../../upstream/fetch-json.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import type { AppContext, Feature } from "../feature.ts";
import type { FindTests } from "./service.ts";

declare module "../../store/tables.ts" {
  interface Tables {
    abTest: {
      name: string;
      validFrom: Moment;
      /** The first moment after the test; null when it has no end. */
      validTo: Moment | null;
    };
    abTestGroup: {
      test: string;
      name: string;
      /** Index among the groups of its test. */
      position: number;
    };
  }
}

/** The A/B tests that staff choose from. */
export async function createAbTests(context: AppContext): Promise<Feature & { findTests: FindTests }> {
  const { env, openStore, siteOf, upstreams } = context;
  const real = upstreams.abtest.of(siteOf.default);
  const service = {
    name: "abtest",
    paths: [{ path: "/service/abtestfrontend", isPublic: true }],
    upstreams: upstreams.abtest,
  };
  if (real) return { service: { ...service, routes: [] }, findTests: createAbTestUpstream(real) };
  const { db } = await openStore();
  if (env.demo) await seedDemoTest(db);
  const findTests: FindTests = (at) => findActiveTests(db, at);
  return { service: { ...service, routes: [abTestRoutes(findTests)] }, findTests };
}

const base = "/service/abtestfrontend/api/v1";

/** Creates the caller of the real A/B test service. */
function createAbTestUpstream(upstream: Upstream): FindTests {
  const fetchJson = createFetchJson({ ...upstream, name: "abtest", deadline: 5 * second, maxAnswer: 256 * 1024 });
  const validate = createValidator<AbTestsAnswer>("ab-tests-answer");
  return async (at) => {
    const path = `${base}/gettestsat?${new URLSearchParams({ time: toIso(at) })}`;
    return (await fetchJson({ path, validate })) ?? [];
  };
}

/** Answers the calls of the embedded A/B test service: the active tests, and the groups of the visitor. */
function abTestRoutes(findTests: FindTests): Router {
  const router = Router();

  router.get(`${base}/gettestsat`, async ({ query }, response) => {
    const at = query.time === undefined ? Date.now() : parseQueryTime(query.time);
    if (at === undefined)
      throw new RequestError("badRequest", "time is wrong", { fields: [{ field: "time", message: timeRule }] });
    response.json(await findTests(at));
  });

  // Assigning visitors to different groups would need an identifier, and so their consent: all are in the first group.
  router.get(`${base}/getassignment`, async (_request, response) => {
    const tests = await findTests(Date.now());
    response.json(tests.flatMap(({ name, groups: [first] }) => (first ? [{ name, group: first.name }] : [])));
  });
  return router;
}

/** Finds the tests that are active at a moment, by name, with their groups in order. */
export async function findActiveTests(db: Database, at: Moment): Promise<AbTestsAnswer> {
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

/** Adds the command that lists A/B tests, the earliest first. */
export function abTestCommands(program: Command, run: Run): void {
  program
    .command("tests")
    .command("list")
    .description("list the A/B tests")
    .action(
      run(async ({ openStore, output }) => {
        const { db } = await openStore();
        const tests = await db.selectFrom("abTest").selectAll().orderBy("validFrom").orderBy("name").execute();
        const groups = await db.selectFrom("abTestGroup").selectAll().orderBy("position").execute();
        const byTest = Map.groupBy(groups, ({ test }) => test);
        const rows = tests.map(({ name, validFrom, validTo }) => ({
          name,
          groups: (byTest.get(name) ?? []).map((group) => group.name),
          ...{ validFrom: toIso(validFrom), validTo: toIsoOrNull(validTo) },
        }));
        await output.list(rows);
      }),
    );
}
