import { describe, expect, it } from "vitest";
import { second } from "../../../../../client/rules/time.ts";
import { openForm } from "../../../../../server/features/edge-purges/forms/open-form.ts";
import { openPurgeBench, settleTime } from "../../../../support/purge-bench.ts";
import { createStandIns, type PurgeStandIn } from "../../../../support/purge-stand-ins.ts";
import { json, startStub, status } from "../../../../support/start-stub.ts";

const tags = ["country-DE", "country-CH_FR", "fragment-footer", "variant:spring.sale:B"];

/** A replica that purges a stand-in. */
async function openBench(edge: PurgeStandIn, secret = edge.token) {
  const stub = await startStub(edge.answer);
  const form = () =>
    openForm({ url: stub.origin + edge.path, form: edge.form, secret, secretFile: undefined, check: false });
  const bench = await openPurgeBench(form, { isAlone: true });
  return { ...bench, stub, answerRightly: () => (stub.answer = edge.answer) };
}

describe.each(createStandIns())("an edge asked as $form", (edge) => {
  it("is asked as its reference says, with all due tags in as few requests as it allows", async () => {
    edge.purged.length = 0;
    const { first, pass, waiting } = await openBench(edge);
    for (const tag of tags) await first.purge(tag);
    await pass(settleTime);
    expect(edge.purged.flat().toSorted()).toEqual(tags.toSorted());
    expect(edge.purged).toHaveLength(edge.most === 1 ? tags.length : 1);
    expect(await waiting()).toEqual([]);
  });

  it("gets a tag again after a page has answered, which is logged once", async () => {
    edge.purged.length = 0;
    const { first, pass, waiting, logged, counted, stub, answerRightly } = await openBench(edge);
    stub.answer = (_request, response) => {
      response
        .writeHead(200, { "Content-Type": "text/html; charset=utf-8" })
        .end("\n<!doctype html><title>Shop</title>");
    };
    await first.purge("country-DE");
    for (const time of [settleTime, 7 * second]) await pass(time);
    expect(stub.requests).toHaveLength(2);
    expect(await waiting()).toEqual(["country-DE"]);
    const down = { msg: "edge purge failed, will retry", reason: "a page has answered: does the address purge?" };
    expect(logged()).toEqual([expect.objectContaining(down)]);
    answerRightly();
    await pass(13 * second);
    expect(edge.purged).toEqual([["country-DE"]]);
    expect(await waiting()).toEqual([]);
    expect(logged()).toEqual([
      expect.objectContaining(down),
      expect.objectContaining({ msg: "edge purges recovered" }),
    ]);
    expect(await counted()).toEqual({ postponed: 2, sent: 1 });
  });
});

it.each(createStandIns().filter(({ token }) => token))(
  "a wrong token for $form is an outage, and in no log",
  async (edge) => {
    const wrong = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
    const { first, pass, waiting, logged } = await openBench(edge, wrong);
    await first.purge("country-DE");
    await pass(settleTime);
    expect(await waiting()).toEqual(["country-DE"]);
    expect(logged()).toEqual([expect.objectContaining({ reason: expect.stringMatching(/^status 40[13]$/) })]);
    expect(JSON.stringify(logged())).not.toContain(wrong.slice(6));
  },
);

it.each([
  ['{"success":false,"errors":[{"code":1012}],"result":null}', "the answer says that nothing was purged"],
  ['{"result":{"id":"1"}}', "the answer says that nothing was purged"],
  ["OK", "the answer isn't Cloudflare's"],
])("Cloudflare's 200 is believed only if it says success: %s", async (body, reason) => {
  const [, , edge] = createStandIns();
  if (!edge) throw new Error("there is one");
  const { first, pass, waiting, logged, stub } = await openBench(edge);
  stub.answer = json(body);
  await first.purge("country-DE");
  await pass(settleTime);
  expect(await waiting()).toEqual(["country-DE"]);
  expect(logged()).toEqual([expect.objectContaining({ reason })]);
});

it("a webhook's message has the same id at each attempt, and another after another change", async () => {
  const [, , , edge] = createStandIns();
  if (!edge) throw new Error("there is one");
  const { first, pass, stub, answerRightly } = await openBench(edge);
  stub.answer = status(503);
  for (const tag of tags) await first.purge(tag);
  for (const time of [settleTime, 7 * second]) await pass(time);
  answerRightly();
  await pass(13 * second);
  for (const tag of tags) await first.purge(tag);
  await pass(settleTime);
  const ids = stub.requests.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toEqual([ids[0], ids[0], ids[0], ids[3]]);
  expect(ids[3]).not.toBe(ids[0]);
});
