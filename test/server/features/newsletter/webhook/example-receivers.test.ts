import { execFile } from "node:child_process";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { minute } from "../../../../../client/rules/time.ts";
import { eraseAddress } from "../../../../../server/features/newsletter/embedded/erase-address.ts";
import { eventSecret, openEvents, startProgram } from "../../../../support/event-test.ts";
import { callerOf, signUp } from "../../../../support/newsletter-test.ts";
import { serve, startStub } from "../../../../support/start-stub.ts";
import { createTestApp, testLogger } from "../../../../support/test-app.ts";
import { openTestStore, testKeys } from "../../../../support/test-store.ts";

const folder = "examples/newsletter-receivers";
const email = "Ada.O'Neil@shop.example";

/** An API's answers by method and path of the call: the status, and the body if it has one. */
type Answers = Record<string, [status: number, body?: object]>;

/** Starts an API with recorded answers, which can be replaced. */
async function startApi(answers: Answers) {
  const calls: { call: string; query: Record<string, string>; body: unknown }[] = [];
  const { origin, requests } = await startStub(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://api");
    const call = `${request.method} ${pathname}`;
    const hasBody = Number(request.headers["content-length"] ?? 0) > 0;
    calls.push({ call, query: Object.fromEntries(searchParams), body: hasBody ? await json(request) : undefined });
    const [status, body] = answers[call] ?? [404, { message: "Not Found" }];
    response.writeHead(status, { "Content-Type": "application/json" }).end(body && JSON.stringify(body));
  });
  return { origin, requests, answers, takeCalls: () => calls.splice(0) };
}

const lists = JSON.stringify({ DE: 1, AT: 2 });

/** Opens the newsletter with a worker that sends its events to the receiver for a program. */
async function openSender(name: string, api: string) {
  const bench = await openEvents();
  const { url, lines: errors } = await startProgram(`${folder}/${name}.mjs`, {
    NEWSLETTER_WEBHOOK_SECRET: eventSecret,
    LISTMONK_URL: api,
    LISTMONK_TOKEN: "shop:secret",
    LISTMONK_LISTS: lists,
    BREVO_URL: api,
    BREVO_API_KEY: "xkeysib",
    BREVO_LISTS: lists,
  });
  const { newsletter, now } = bench;
  const erase = () => eraseAddress(bench.db, testKeys, email, "none", now(), { hasReceiver: true });
  const unsubscribe = (token: string) => newsletter.unsubscribe(token, callerOf("DE"));
  const change = (token: string) => newsletter.change(token, { firstName: "Adele" }, callerOf("DE"));
  /** Confirms the subscription. */
  const subscribe = async () => {
    const own = await bench.confirm(email);
    const [{ subscriptionId: id } = { subscriptionId: "" }] = await bench.waiting();
    return { own, id, token: bench.tokenOf(id) };
  };
  return { ...bench, url, errors, deliver: bench.replicaTo(url), change, erase, unsubscribe, subscribe };
}

/** https://listmonk.app/docs/apis/subscribers/ */
const subscriber = { id: 3, uuid: "eb420c55-4cfb-4972-92ba-c93c34ba475d", status: "enabled", attribs: {}, lists: [] };
const found = (results: object[]): [number, object] => [
  200,
  { data: { results, query: "", total: results.length, per_page: 20, page: 1 } },
];
const listmonk: Answers = {
  "GET /api/subscribers": found([]),
  "POST /api/subscribers": [200, { data: subscriber }],
  "PATCH /api/subscribers/3": [200, { data: subscriber }],
  "PUT /api/subscribers/lists": [200, { data: true }],
  "DELETE /api/subscribers/3": [200, { data: true }],
};

it("the receiver for listmonk adds, changes, unsubscribes and deletes a subscriber without another confirmation", async () => {
  const api = await startApi({ ...listmonk });
  const { subscribe, change, unsubscribe, erase, deliver } = await openSender("listmonk", api.origin);
  const { own, id, token } = await subscribe();
  await deliver();
  const attribs = { DE: { id, site: "DE", firstName: "Ada", locale: "de-DE", token } };
  const byEmail = "subscribers.email = 'ada.o''neil@shop.example'";
  const name = { email, name: "Ada Beispiel" };
  const added = { ...name, status: "enabled", lists: [1], preconfirm_subscriptions: true, attribs };
  expect(api.takeCalls()).toMatchObject([
    { call: "GET /api/subscribers", query: { query: byEmail } },
    { call: "POST /api/subscribers", body: added },
  ]);
  expect(api.requests[0]?.headers.authorization).toBe("token shop:secret");

  api.answers["GET /api/subscribers"] = found([{ ...subscriber, email: email.toLowerCase() }]);
  await change(own);
  await deliver();
  const inList = { ids: [3], target_list_ids: [1] };
  expect(api.takeCalls()).toMatchObject([
    { call: "GET /api/subscribers", query: { query: byEmail } },
    { call: "PATCH /api/subscribers/3", body: { name: "Adele Beispiel", attribs: { DE: { firstName: "Adele" } } } },
    { call: "PUT /api/subscribers/lists", body: { ...inList, action: "add", status: "confirmed" } },
  ]);

  await unsubscribe(own);
  await deliver();
  const byId = `subscribers.attribs->'DE'->>'id' = '${id}'`;
  expect(api.takeCalls()).toEqual([
    { call: "GET /api/subscribers", query: { query: byId }, body: undefined },
    { call: "PUT /api/subscribers/lists", query: {}, body: { ...inList, action: "unsubscribe" } },
    { call: "PATCH /api/subscribers/3", query: {}, body: { attribs: { DE: { id } } } },
  ]);

  await erase();
  await deliver();
  expect(api.takeCalls()).toMatchObject([
    { call: "GET /api/subscribers", query: { query: byId } },
    { call: "DELETE /api/subscribers/3" },
  ]);
});

describe.each<[string, Answers, Answers]>([
  ["listmonk", { "POST /api/subscribers": [409] }, listmonk],
  ["brevo", { "POST /contacts": [400, { code: "invalid_parameter" }] }, { "POST /contacts": [204] }],
])("the receiver for %s", (name, failing, working) => {
  it("accepts an event only once its API has, and needs no subscriber to unsubscribe or erase", async () => {
    const api = await startApi({ "GET /api/subscribers": found([]), ...failing });
    const { confirm, unsubscribe, erase, deliver, pass, waiting, errors } = await openSender(name, api.origin);
    const own = await confirm(email);
    await deliver();
    expect(await waiting()).toHaveLength(1);
    await expect.poll(errors).toEqual([expect.stringMatching(/answers POST .*with 4/)]);
    Object.assign(api.answers, working);
    for (const change of [() => unsubscribe(own), erase]) {
      await change();
      pass(minute);
      await deliver();
      expect(await waiting()).toEqual([]);
    }
  });

  it("refuses what the shop hasn't signed", async () => {
    const { url } = await openSender(name, "http://127.0.0.1:9");
    const headers = { "webhook-id": "1", "webhook-timestamp": String(Math.floor(Date.now() / 1000)) };
    const forged = { ...headers, "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}` };
    expect((await fetch(url, { method: "POST", headers: forged, body: "{}" })).status).toBe(401);
  });
});

describe("bounces", () => {
  /** Starts a shop, and subscribes addresses to its newsletter. */
  const openShop = async (...names: string[]) => {
    const store = await openTestStore(testLogger);
    const bench = await openEvents(store.db);
    const newsletterReports = { secret: eventSecret, secretFile: undefined };
    const { app } = await createTestApp({ store, newsletterReports });
    for (const name of names) {
      const token = await signUp(bench, `${name}@shop.example`);
      await bench.newsletter.confirm(token, callerOf("DE"));
    }
    const confirmed = async () =>
      (await store.db.selectFrom("newsletterSubscription").select("email").where("state", "=", "confirmed").execute())
        .map((row) => row.email.split("@")[0])
        .toSorted();
    const SHOP_URL = `http://127.0.0.1:${await serve(app)}`;
    return { confirmed, variables: { SHOP_URL, NEWSLETTER_EVENTS_SECRET: eventSecret } };
  };

  it("of listmonk end the newsletters of the last three days' addresses", async () => {
    const { confirmed, variables } = await openShop("hard", "soft", "complaint", "old");
    const bounces = ["hard", "soft", "complaint", "old"].map((name, id) => {
      const created_at = new Date(Date.now() - (name === "old" ? 80 : 70) * 60 * minute).toISOString();
      const type = name === "old" ? "hard" : name;
      return { id, type, source: "api", meta: {}, created_at, email: `${name}@shop.example`, campaign: null };
    });
    const { origin, takeCalls } = await startApi({ "GET /api/bounces": found(bounces) });
    const env = { ...variables, LISTMONK_URL: origin, LISTMONK_TOKEN: "shop:secret" };
    for (let run = 0; run < 2; run++)
      await promisify(execFile)(process.execPath, [`${folder}/listmonk-bounces.mjs`], { env });
    expect(await confirmed()).toEqual(["old", "soft"]);
    expect(takeCalls().map(({ query }) => query.page)).toEqual(["1", "1"]);
  });

  it("of Brevo are taken from Brevo alone", async () => {
    const { variables } = await openShop();
    const { url } = await startProgram(`${folder}/brevo-bounces.mjs`, { ...variables, BREVO_WEBHOOK_TOKEN: "token" });
    const statusWith = async (token: string) =>
      (await fetch(url, { method: "POST", headers: { authorization: `Bearer ${token}` }, body: "{}" })).status;
    expect([await statusWith("token"), await statusWith("other")]).toEqual([204, 401]);
  });
});
