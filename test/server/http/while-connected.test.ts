import { once } from "node:events";
import { createServer, get, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createElement } from "react";
import { expect, it, onTestFinished } from "vitest";
import { whileConnected } from "../../../server/http/while-connected.ts";
import { ClientGoneError } from "../../../server/platform/errors.ts";
import { renderStream } from "../../../server/rendering/render-element.ts";

/** Asks a server that answers nothing, and leaves. Returns the answer that the server had begun. */
async function leaveServer(): Promise<ServerResponse> {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const request = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).on("error", () => undefined);
  const [, response] = await once(server, "request");
  request.destroy();
  await once(response, "close");
  return response;
}

it("nothing is rendered for a client that has left before the render", async () => {
  const signal = whileConnected(await leaveServer());
  expect(signal.reason).toBeInstanceOf(ClientGoneError);
  const rendered = renderStream(createElement("p"), { deadline: 1_000, signal, startAt: "shell" });
  await expect(rendered).rejects.toBeInstanceOf(ClientGoneError);
});
