import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { demoCustomer } from "../../server/shop/login/demo-customer.ts";
import { demoStaff } from "../../server/shop/preview/demo-staff.ts";
import { findSites } from "../../server/sites/countries.ts";
import { sendRequest } from "../fuzz/send-request.ts";
import { startLine } from "../postgres/start-line.ts";
import { type Jar, keep } from "../support/login-test.ts";
import { newAddress } from "../support/new-address.ts";
import { christmas, header, password } from "../support/preview-test.ts";
import { breakOff, drip, flood, hang, json, startStub, status } from "../support/start-stub.ts";
import { createStorePlace } from "../support/test-store.ts";
import { askFooter, atPace, type Footers, quantile } from "./paced-load.ts";
import { atLeast, atMost, none, type Proof, scaled } from "./proof.ts";
import { settleSignUps } from "./settle-sign-ups.ts";
import { onStore, startReplica } from "./start-replica.ts";
import { createVisitors } from "./visitors.ts";

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

export const everythingAtOnce: Proof = {
  name: "everything at once",
  does: "Footers, sign-ups, logins and previews of staff go on while the real promotion service and the database fail in turn, in every way there is.",
  async run(trial) {
    const place = await createStorePlace(undefined, trial.postgresUrl);
    const address = new URL(place.databaseUrl ?? "");
    const line = await startLine(Number(address.port));
    address.port = String(line.port);
    const stub = await startStub(promotion);
    const service = await startReplica({
      ...onStore({ ...place, databaseUrl: address.href }),
      UPSTREAM_PROMOTION_URL: stub.origin,
      DEMO: "on",
      DEMO_PASSWORD: password,
    });
    const footers: Footers = { times: [], failed: [] };
    const visitors = createVisitors();
    const memory: number[] = [];
    const others = new Map<string, number>();
    const staff = await post("/service/preview/api/auth/login", { user: demoStaff, password }, {});
    const preview = await post("/service/preview/api/token", { previewDateTime: christmas }, staff);
    const previews: Footers = { times: [], failed: [] };
    let isOver = false;
    const during = (perSecond: number, call: () => Promise<unknown>) => atPace(perSecond, () => isOver, call);
    const load = [
      during(100, () => askFooter(service.port, sites, footers)),
      during(5, signUp),
      during(2, () => post("/service/login/api/v1/login", { email: demoCustomer.email, password })),
      during(2, () => post("/service/preview/api/token", { previewDateTime: christmas }, staff)),
      during(5, () => askFooter(service.port, sites, previews, { Cookie: header(preview).join("; ") })),
      during(1, async () => memory.push(megabytesOf(await service.metrics()))),
    ];

    const faults = [
      ...[hang, breakOff, drip, flood, status(500), json("<p>")].map((answer) => async (time: Milliseconds) => {
        stub.answer = answer;
        await pause(time);
        stub.answer = promotion;
      }),
      async (time: Milliseconds) => {
        await line.cut();
        await pause(time);
        await line.mend();
      },
      async (time: Milliseconds) => {
        line.freeze();
        await pause(time);
        line.thaw();
      },
    ];
    const [seconds, rounds] = [scaled(600, trial, 8), scaled(4, trial)];
    // Behind each fault is a pause as long.
    const time = (seconds * second) / (rounds * faults.length * 2);
    for (let round = 0; round < rounds; round++) {
      for (const fault of faults) {
        await fault(time);
        await pause(time);
      }
    }
    const recovery = await untilTaken();
    isOver = true;
    await Promise.all(load);
    await service.kill();
    const third = Math.floor(memory.length / 3);
    const [warm, last] = [quantile(memory.slice(third, 2 * third), 0.5), quantile(memory.slice(-third), 0.5)];
    return [
      atLeast("footers", footers.times.length, seconds * 90),
      none("footers that aren't 200", footers.failed),
      atMost("sign-ups are taken after the last fault within", recovery / second, 5, "s"),
      none("previewed footers that aren't 200", previews.failed),
      atLeast("logins and choices of staff", others.get("200") ?? 0, seconds),
      // The preview panel knows 500 alone for what can't be done at the moment.
      none(
        "other answers to them than 200, 500 and 503",
        [...others.keys()].filter((code) => !["200", "500", "503"].includes(code)),
      ),
      atMost("memory in the last third, beside the second", last, warm * 1.2 + 32, "MB"),
      ...(await settleSignUps("PostgreSQL", place, visitors)),
    ];

    /** Whoever is refused tries again. */
    function signUp(): Promise<boolean> {
      return visitors.signUp(service.port).catch(() => false);
    }

    /** Calls a service as a browser with these cookies does; gives those that it has then. */
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
  },
};

function megabytesOf(metrics: string): number {
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(metrics) ?? [];
  return Number(bytes) / 1_000_000;
}
