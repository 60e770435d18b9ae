import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { hour } from "../../../client/rules/time.ts";
import { createMessageSender } from "../../../server/upstream/message-sender.ts";
import { hang, startStub, status } from "../../support/start-stub.ts";

const send = (url: string, deadline = hour) => createMessageSender("POST", url, deadline).send({ "x-id": "1" }, "body");

it("sends headers and body to the whole URL", async () => {
  const got: unknown[] = [];
  const stub = await startStub(async (request, response) => {
    got.push([request.method, request.url, request.headers["x-id"], await text(request)]);
    response.writeHead(204).end();
  });
  expect(await send(`${stub.origin}/events?shop=1`)).toBeUndefined();
  expect(got).toEqual([["POST", "/events?shop=1", "1", "body"]]);
});

it.each([301, 400, 410, 503])("takes status %i for a failure", async (code) => {
  const { origin } = await startStub(status(code));
  expect(await send(origin)).toEqual({ reason: `status ${code}`, status: code });
});

it("fails when the receiver doesn't answer or can't be reached", async () => {
  const stub = await startStub(hang);
  expect(await send(stub.origin, 20)).toEqual({ reason: "no answer within 20 ms" });
  await stub.close();
  expect(await send(stub.origin)).toEqual({ reason: "no answer (ECONNREFUSED)" });
});
