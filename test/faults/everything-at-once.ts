import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { demoAccounts } from "../../server/accounts/demo-accounts.ts";
import { findSites } from "../../server/config/country-files.ts";
import { sendRequest } from "../fuzz/send-request.ts";
import { type Jar, keep } from "../support/login-test.ts";
import { newAddress } from "../support/new-address.ts";
import { christmas, header, password } from "../support/preview-test.ts";
import { onStore, startReplica } from "../support/start-process.ts";
import { breakOff, drip, flood, hang, json, startStub, status } from "../support/start-stub.ts";
import { createStorePlace } from "../support/test-store.ts";
import { startBreakablePostgres } from "./break-postgres.ts";
import { askFooter, atPace, type Footers, quantile } from "./paced-load.ts";
import { atLeast, atMost, none, type Proof, scaled } from "./proof.ts";
import { createVisitors, settleSignUps } from "./visitors.ts";

const sites = findSites("countries");
const shop = {
  Host: "de.localhost",
  "X-hunter-csrf": "1",
  "Sec-Fetch-Site": "same-origin",
  "Content-Type": "application/json",
};
const promotion = json(
  JSON.stringify({ contentJSON: JSON.stringify({ headline: "Coffee weeks", text: "A tenth off" }) }),
);
/** Time until operators see that the database doesn't answer. */
const seenWithin: Milliseconds = 5 * second;

export const everythingAtOnce: Proof = {
  name: "everything at once",
  does: "Footers, sign-ups, logins and previews of staff go on while the real promotion service and PostgreSQL fail in turn, in every way there is: connections end or are lost, the server crashes or freezes, the disk is full, the database is read-only, a table is locked. Whoever is refused tries again.",
  async run(trial) {
    const postgres = await startBreakablePostgres();
    onTestFinished(() => postgres.stop());
    const place = { ...(await createStorePlace()), databaseUrl: postgres.url };
    const stub = await startStub(promotion);
    const service = await startReplica({
      ...onStore(place),
      UPSTREAM_PROMOTION_URL: stub.origin,
      DEMO: "on",
      DEMO_PASSWORD: password,
    });
    const footers: Footers = { times: [], failed: [] };
    const visitors = createVisitors();
    const signUpTimes: Milliseconds[] = [];
    const oddSignUps: string[] = [];
    const memory: number[] = [];
    const others = new Map<string, number>();
    const unseen: string[] = [];
    let recovery: Milliseconds = 0;
    const staff = await post("/service/preview/api/auth/login", { user: demoAccounts.staff.email, password }, {});
    const preview = await post("/service/preview/api/token", { previewDateTime: christmas }, staff);
    const previews: Footers = { times: [], failed: [] };
    let isOver = false;
    const during = (perSecond: number, call: () => Promise<unknown>) => atPace(perSecond, () => isOver, call);
    const load = [
      during(100, () => askFooter(service.port, sites, footers)),
      during(5, signUp),
      during(2, () => post("/service/login/api/v1/login", { email: demoAccounts.customer.email, password })),
      during(2, () => post("/service/preview/api/token", { previewDateTime: christmas }, staff)),
      during(5, () => askFooter(service.port, sites, previews, { Cookie: header(preview).join("; ") })),
      during(1, async () => memory.push((await readMetric("process_resident_memory_bytes")) / 1_000_000)),
    ];

    const answers = [hang, breakOff, drip, flood, status(500), json("<p>")];
    const databaseFaults = Object.entries(postgres.faults);
    const [seconds, rounds] = [scaled(600, trial, 8), scaled(4, trial)];
    // Behind each fault is a pause as long.
    const time = (seconds * second) / (rounds * (answers.length + databaseFaults.length) * 2);
    for (let round = 0; round < rounds; round++) {
      for (const answer of answers) {
        stub.answer = answer;
        await pause(time);
        stub.answer = promotion;
        await pause(time);
      }
      for (const [name, breakDatabase] of databaseFaults) {
        const mend = await breakDatabase();
        await pause(time);
        const isAway = ["connections lost", "server frozen"].includes(name);
        if (isAway && time > seenWithin && (await readMetric("store_up")) !== 0) unseen.push(name);
        await mend();
        recovery = Math.max(recovery, await untilTaken());
        await pause(time);
      }
    }
    isOver = true;
    await Promise.all(load);
    const statementErrors = await readMetric("store_errors_total");
    await service.kill();
    const third = Math.floor(memory.length / 3);
    const [warm, last] = [quantile(memory.slice(third, 2 * third), 0.5), quantile(memory.slice(-third), 0.5)];
    const signUps = await settleSignUps("PostgreSQL", place, visitors);
    return [
      atLeast("footers", footers.times.length, seconds * 90),
      none("footers that aren't 200", footers.failed),
      atMost("footers' p99", quantile(footers.times, 0.99) / second, 1, "s"),
      none("previewed footers that aren't 200", previews.failed),
      atLeast("statements that failed", statementErrors, 1),
      none("faults that store_up didn't show", unseen),
      none("answers to sign-ups but 202 and 503", oddSignUps),
      // A sign-up waits for a connection twice, and then for one that is lost.
      atMost("slowest sign-up", Math.max(...signUpTimes) / second, 10, "s"),
      atMost("sign-ups are taken after a fault within", recovery / second, 5, "s"),
      atLeast("logins and choices of staff", others.get("200") ?? 0, seconds),
      // The preview panel knows 500 alone for what can't be done at the moment.
      none(
        "other answers to them than 200, 500 and 503",
        [...others.keys()].filter((code) => !["200", "500", "503"].includes(code)),
      ),
      atMost("memory in the last third, beside the second", last, warm * 1.2 + 32, "MB"),
      ...signUps,
    ];

    /** Whoever is refused tries again. */
    async function signUp(): Promise<boolean> {
      const began = performance.now();
      const isAnswered = await visitors.signUp(service.port).catch((error: Error) => {
        if (!error.message.endsWith(" 503")) oddSignUps.push(error.message);
        return false;
      });
      signUpTimes.push(performance.now() - began);
      return isAnswered;
    }

    /** Calls a service as a browser with these cookies does; returns those that it has then. */
    async function post(path: string, body: object, jar: Jar = {}): Promise<Jar> {
      const headers = { ...shop, "X-Forwarded-For": newAddress(), Cookie: header(jar).join("; ") };
      const answer = await sendRequest(service.port, { method: "POST", path, headers, body: JSON.stringify(body) });
      const code = String(answer?.status);
      others.set(code, (others.get(code) ?? 0) + 1);
      return keep(jar, answer?.headers["set-cookie"] ?? []);
    }

    async function untilTaken(): Promise<Milliseconds> {
      const began = performance.now();
      while (!(await signUp()) && performance.now() - began < 30 * second) await pause(100);
      return performance.now() - began;
    }

    async function readMetric(name: string): Promise<number> {
      const [, value] = new RegExp(`^${name} (\\S+)$`, "m").exec(await service.metrics()) ?? [];
      if (value === undefined) throw new Error(`the service has no metric ${name}`);
      return Number(value);
    }
  },
};
