import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { day, hour, minute, second } from "../../../../../client/rules/time.ts";
import type { NewsletterEvent } from "../../../../../schemas/types.ts";
import { eraseAddress } from "../../../../../server/features/newsletter/embedded/erase-address.ts";
import { createValidator } from "../../../../../server/platform/validate.ts";
import { createWebhook } from "../../../../../server/upstream/webhook.ts";
import { documentAt } from "../../../../docs/read-documents.ts";
import { eventSecret, openEvents, startProgram } from "../../../../support/event-test.ts";
import { findFreePort } from "../../../../support/find-free-port.ts";
import { callerOf, recordsOf, signUp, signUpOf, subscriptionOf } from "../../../../support/newsletter-test.ts";
import { sendHalf } from "../../../../support/start-process.ts";
import { startStub } from "../../../../support/start-stub.ts";
import { testKeys } from "../../../../support/test-store.ts";

const validate = createValidator<NewsletterEvent>("newsletter-event");
const email = "ada@shop.example";
const de = callerOf("DE");

let bench: Awaited<ReturnType<typeof openEvents>>;
/** The events that the receiver has got, and its answer to the next one. */
let got: NewsletterEvent[];
let answerTo: (event: NewsletterEvent) => number;
/** Sends what is due. */
let deliver: () => Promise<void>;

beforeEach(async () => {
  bench = await openEvents();
  got = [];
  answerTo = () => 204;
  const { origin } = await startStub(async (request, response) => {
    const event = (await json(request)) as NewsletterEvent;
    got.push(event);
    response.writeHead(answerTo(event)).end();
  });
  deliver = bench.replicaTo(origin);
});

const erase = (address = email, hasReceiver = true) =>
  eraseAddress(bench.db, testKeys, address, "none", bench.now(), { hasReceiver });
const typesOf = (events: readonly NewsletterEvent[]) => events.map(({ type }) => type.replace("subscription.", ""));

describe("the newsletter's receiver", () => {
  it("gets the events of a subscriber from the confirmation to the end, by the schema", async () => {
    const token = await bench.confirm(email);
    await bench.newsletter.change(token, { firstName: "Adele" }, de);
    for (let i = 0; i < 2; i++) await bench.newsletter.unsubscribe(token, de);
    await deliver();
    expect(typesOf(got)).toEqual(["confirmed", "changed", "unsubscribed"]);
    expect(got.map((event) => validate(event))).toEqual(got.map((data) => ({ valid: true, data })));
    const subscriber = { id: got[0]?.data.id, email, site: "DE" };
    expect(got.map(({ data }) => data)).toMatchObject([
      { ...subscriber, status: "SUBSCRIBED", consents: ["NEWSLETTER"], firstName: "Ada" },
      { ...subscriber, status: "SUBSCRIBED", consents: ["NEWSLETTER"], firstName: "Adele" },
      { ...subscriber, status: "UNSUBSCRIBED", consents: [], reason: "wish" },
    ]);
  });

  it("gets the locale, the voucher until it expires, and the consent that was confirmed", async () => {
    const { db, newsletter, confirm, now, pass } = bench;
    const signedUpAt = new Date(now()).toISOString();
    const token = await confirm(email, "HU");
    const change = (firstName: string) => newsletter.change(token, { firstName }, callerOf("HU"));
    pass(day);
    await newsletter.subscribe(signUpOf(email), callerOf("HU"));
    await change("Adele");
    pass(40 * day);
    await change("Ada");
    await deliver();
    const { code } = await db.selectFrom("voucher").select("code").executeTakeFirstOrThrow();
    const [requested] = await recordsOf(db, email, "HU");
    const known = { locale: "hu-HU", consent: { version: requested?.textVersion, at: signedUpAt } };
    const vouchers = [{ code }, { code }, null];
    expect(got.map(({ data }) => data)).toMatchObject(vouchers.map((voucher) => ({ ...known, voucher })));
    expect(got.every((event) => validate(event).valid)).toBe(true);
  });

  it("gets a token that reports openings and ends the subscription, the same each time", async () => {
    const { newsletter, confirm, waiting } = bench;
    await newsletter.change(await confirm(email), { firstName: "Adele" }, de);
    expect(JSON.stringify(await waiting())).not.toMatch(/"token"|token=/);
    await deliver();
    const [token = "", again] = got.map(({ data }) => ("token" in data ? data.token : undefined));
    expect(again).toBe(token);
    expect(await newsletter.recordOpening(token)).toBe(true);
    expect(await newsletter.confirm(token, de)).toEqual({ status: "invalidToken" });
    expect(await newsletter.change(token, { firstName: "Eve" }, de)).toEqual({ status: "invalidToken" });
    expect(await newsletter.unsubscribe(token, de)).toEqual({ status: "ended" });
  });

  it("gets the address of the subscriber's page, whose token isn't the sender's and lasts as long as the subscription", async () => {
    const { newsletter, confirm, pass } = bench;
    const used = await confirm(email);
    await newsletter.change(used, { categories: ["COFFEE"] }, de);
    await newsletter.unsubscribe(used, de);
    pass(day);
    await confirm(email);
    await deliver();
    const [first, changed, , second] = got.map(({ data }) => ("preferencesUrl" in data ? data : undefined));
    expect(changed).toMatchObject({ categories: ["COFFEE"], preferencesUrl: first?.preferencesUrl });
    expect(second?.token).toBe(first?.token);
    const [old, token] = [first, second].map((data) => new URL(data?.preferencesUrl ?? "").searchParams.get("token"));
    expect(second?.preferencesUrl).toBe(`${de.site.origin}/newsletter/preferences?token=${token}`);
    expect(new Set([old, token, second?.token]).size).toBe(3);
    expect(await newsletter.preferences.read(token ?? "")).toMatchObject({ status: "found" });
    expect(await newsletter.preferences.read(old ?? "")).toEqual({ status: "invalidToken" });
    expect(await newsletter.preferences.read(second?.token ?? "")).toEqual({ status: "endOnly", site: "DE" });
  });

  it("gets no events of unconfirmed sign-ups", async () => {
    const token = await signUp(bench, "pending@shop.example");
    await bench.newsletter.change(token, { firstName: "Eve" }, de);
    await bench.newsletter.refuse(token, de);
    await erase("pending@shop.example");
    expect(await bench.waiting()).toEqual([]);
  });

  it("gets an event when sending stops because nobody opens the newsletter", async () => {
    const token = await bench.confirm(email, "TR");
    bench.pass(day);
    await bench.newsletter.recordOpening(token);
    bench.pass(3 * 366 * day);
    await bench.newsletter.cleanUp();
    await deliver();
    expect(got.at(-1)).toMatchObject({ type: "subscription.unsubscribed", data: { reason: "unopened" } });
  });

  it("gets the id alone when an address is erased, and no other event that waits", async () => {
    const { newsletter, confirm, waiting } = bench;
    const token = await confirm(email);
    await deliver();
    await newsletter.change(token, { firstName: "Adele" }, de);
    expect(await erase("ADA@shop.example")).toMatchObject({ keptForReceiver: 1 });
    expect(JSON.stringify(await waiting())).not.toMatch(/ada@|Adele/i);
    await deliver();
    expect(typesOf(got)).toEqual(["confirmed", "erased"]);
    expect(got[1]?.data).toEqual({ id: got[0]?.data.id, site: "DE" });
    expect(validate(got[1])).toMatchObject({ valid: true });
    await confirm("bea@shop.example");
    expect(await erase("bea@shop.example", false)).toMatchObject({ keptForReceiver: 0 });
    expect(await waiting()).toEqual([]);
  });

  it("gets the event of an erasure only when no earlier event is being sent", async () => {
    await bench.confirm(email);
    const finishDelivery = await bench.replicaThatHangs();
    await erase();
    await deliver();
    expect(got).toEqual([]);
    await finishDelivery();
    bench.pass(minute);
    await deliver();
    expect(typesOf(got)).toEqual(["erased"]);
  });

  it("gets no event that has waited for 30 days", async () => {
    await bench.confirm(email);
    await erase();
    for (const [time, count] of [
      [30 * day - 1, 1],
      [1, 0],
    ] as const) {
      bench.pass(time);
      await bench.newsletter.cleanUp();
      expect(await bench.waiting()).toHaveLength(count);
    }
  });

  it("gets no event while another replica sends an earlier one, and that again when its lease ends", async () => {
    const token = await bench.confirm(email);
    await bench.replicaThatHangs();
    await bench.newsletter.unsubscribe(token, de);
    await deliver();
    expect(got).toEqual([]);
    bench.pass(minute);
    await deliver();
    expect(typesOf(got)).toEqual(["confirmed", "unsubscribed"]);
  });
});

describe("a receiver that accepts nothing", () => {
  it("is logged once when it fails and once when it recovers", async () => {
    const { confirm, pass, lines, attempts, waiting } = bench;
    answerTo = () => 500;
    for (const name of ["ada", "bea", "cleo"]) await confirm(`${name}@shop.example`);
    await deliver();
    expect(await attempts("postponed")).toBe(3);
    // From then on, a single event is tried, with growing pauses.
    const pauses: number[] = [];
    for (let tries = 0; tries < 6; tries++) {
      let waited = 0;
      for (const before = got.length; got.length === before; waited += second) {
        pass(second);
        await deliver();
      }
      pauses.push(waited / second);
    }
    expect(got).toHaveLength(9);
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
    expect(pauses.at(-1)).toBeGreaterThan(100);
    const down = { level: 40, reason: "status 500", waiting: 3, msg: "webhook delivery failed, will retry" };
    expect(lines).toMatchObject([down]);
    answerTo = () => 204;
    pass(hour);
    await deliver();
    expect(await waiting()).toEqual([]);
    expect(await attempts("sent")).toBe(3);
    expect(lines).toMatchObject([down, { level: 30, msg: "webhook delivery recovered" }]);
  });

  it("gets the same bytes at every attempt, with the time of the event", async () => {
    answerTo = () => 500;
    const at = new Date(bench.now()).toISOString();
    await bench.confirm(email);
    await deliver();
    bench.pass(hour);
    await deliver();
    expect(got[0]).toMatchObject({ timestamp: at });
    expect(got[1]).toEqual(got[0]);
  });

  it("gets an event at once after the clock has gone back", async () => {
    const { confirm, pass } = bench;
    answerTo = () => 500;
    await confirm(email);
    await deliver();
    pass(-2 * hour);
    answerTo = () => 204;
    await confirm("bea@shop.example");
    await deliver();
    expect(got.map(({ data }) => "email" in data && data.email)).toEqual([email, "bea@shop.example"]);
  });

  it("gets no events for an hour after a 410, and then all of them", async () => {
    answerTo = () => 410;
    await bench.confirm(email);
    await deliver();
    bench.pass(hour - second);
    await deliver();
    expect(got).toHaveLength(1);
    expect(bench.lines).toEqual([expect.objectContaining({ level: 40, reason: "status 410" })]);
    answerTo = () => 204;
    bench.pass(second);
    await deliver();
    expect(typesOf(got)).toEqual(["confirmed", "confirmed"]);
  });

  it("delays only the subscription whose event it rejects", async () => {
    const subscriptionIn = ({ data }: NewsletterEvent) => ("email" in data ? `${data.email} ${data.site}` : data.id);
    answerTo = (event) => (subscriptionIn(event) === "bad@shop.example DE" ? 400 : 204);
    for (const [name, site] of [
      ["bad", "DE"],
      ["bad", "AT"],
      ["good", "DE"],
    ] as const)
      await bench.newsletter.unsubscribe(await bench.confirm(`${name}@shop.example`, site), callerOf(site));
    await deliver();
    const sent = got.map((event) => `${typesOf([event])} ${subscriptionIn(event)}`);
    expect(sent.toSorted()).toEqual([
      "confirmed bad@shop.example AT",
      "confirmed bad@shop.example DE",
      "confirmed good@shop.example DE",
      "unsubscribed bad@shop.example AT",
      "unsubscribed good@shop.example DE",
    ]);
    expect(await bench.waiting()).toHaveLength(2);
    expect(bench.lines).toEqual([]);
  });
});

it("the receiver of docs/webhook.md gets the events that waited while it was down, and survives unsigned and incomplete ones", async () => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const token = await bench.confirm(email);
  await bench.newsletter.unsubscribe(token, de);
  const id = (await subscriptionOf(bench.db, email))?.id;
  const deliverThere = bench.replicaTo(url);
  await deliverThere();

  const [{ code = "" } = {}] = documentAt("docs/webhook.md").blocks.filter(({ language }) => language === "js");
  const folder = await mkdtemp(join(tmpdir(), "receiver-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "receiver.mjs");
  await writeFile(file, code);
  const { lines } = await startProgram(file, { NEWSLETTER_WEBHOOK_SECRET: eventSecret }, port);
  bench.pass(minute);
  await deliverThere();
  expect(await bench.waiting()).toEqual([]);
  const types = ["confirmed", "unsubscribed"].map((type) => `subscription.${type} ${id}`);
  await expect.poll(() => lines().map((line) => line.replace(/^\S+ /, ""))).toEqual(types);

  const broken = await sendHalf(port);
  await once(broken.destroy(), "close");
  const forged = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
  const forger = createWebhook({ url, secret: forged, secretFile: undefined }, { deadline: 5 * second });
  onTestFinished(() => forger.close());
  expect(await forger.send("1", "{}")).toMatchObject({ status: 401 });
  expect(lines()).toHaveLength(2);
});
