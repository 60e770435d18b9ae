import { expect, it } from "vitest";
import { second } from "../../../../../client/rules/time.ts";
import { createVarnish } from "../../../../../server/features/edge-purges/forms/varnish.ts";
import { openPurgeBench, settleTime } from "../../../../support/purge-bench.ts";
import { type Stub, startStub, status } from "../../../../support/start-stub.ts";

/** Two replicas that purge a Varnish. */
async function openBench(edge: Stub) {
  const bench = await openPurgeBench(() => createVarnish(`${edge.origin}/purge`));
  const sent = () => edge.requests.map(({ method, url, headers }) => [method, url, headers["surrogate-key"]]);
  return { ...bench, sent };
}

it("purges the edge once for all replicas, when each has had time to see the change", async () => {
  const { first, other, pass, waiting, sent } = await openBench(await startStub(status(204)));
  await first.purge("country-DE");
  await other.purge("country-DE");
  await other.purge("country-AT");
  await pass(settleTime - 1);
  expect(sent()).toEqual([]);
  await pass(1);
  expect(sent().toSorted()).toEqual([
    ["PURGE", "/purge", "country-AT"],
    ["PURGE", "/purge", "country-DE"],
  ]);
  expect(await waiting()).toEqual([]);
});

it("waits again after another change", async () => {
  const { first, pass, sent } = await openBench(await startStub(status(204)));
  await first.purge("country-DE");
  await pass(settleTime - second);
  await first.purge("country-DE");
  await pass(second);
  expect(sent()).toEqual([]);
  await pass(settleTime - second);
  expect(sent()).toHaveLength(1);
});

it("retries until the edge accepts the purge", async () => {
  const edge = await startStub(status(503));
  const { first, pass, waiting, waited, sent } = await openBench(edge);
  await first.purge("country-DE");
  await pass(settleTime - second);
  // An entry that isn't due yet isn't late.
  expect(await waited()).toEqual([0]);
  await pass(second);
  expect(sent()).toHaveLength(1);
  expect(await waiting()).toEqual(["country-DE"]);
  await pass(7 * second);
  expect(sent()).toHaveLength(2);
  expect(await waited()).toEqual([(settleTime + 7 * second) / second]);
  edge.answer = status(200);
  await pass(13 * second);
  expect(sent()).toHaveLength(3);
  expect(await waiting()).toEqual([]);
  // Until its next check, a replica may report entries that the other one has just sent.
  await pass(0);
  expect(await waited()).toEqual([0]);
});

it("keeps a purge that is queued again while it is sent", async () => {
  const edge = await startStub(status(204));
  const { first, pass, waiting, sent } = await openBench(edge);
  edge.answer = async (_request, response) => {
    await first.purge("country-DE");
    response.writeHead(204).end();
  };
  await first.purge("country-DE");
  await pass(settleTime);
  expect(await waiting()).toEqual(["country-DE"]);
  edge.answer = status(204);
  await pass(settleTime);
  expect(sent()).toHaveLength(2);
  expect(await waiting()).toEqual([]);
});
