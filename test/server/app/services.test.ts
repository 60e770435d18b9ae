import request from "supertest";
import { expect, it, vi } from "vitest";
import { openAccounts } from "../../../server/accounts/open-accounts.ts";
import { createApp } from "../../../server/app.ts";
import { readEnv, realServices } from "../../../server/config/env.ts";
import { createContext } from "../../../server/context.ts";
import { startStub } from "../../support/start-stub.ts";
import { base, createTestApp, shop, testLogger } from "../../support/test-app.ts";
import { openTestStore } from "../../support/test-store.ts";

/** A call of each service. */
const calls = {
  abtest: "/service/abtestfrontend/api/v1/gettestsat",
  promotion: "/service/promotion/api/promotion/SHOP_FOOTER",
  newsletter: "/service/newsletter/api/internal/newsletter-subscribers/unknown-token",
  customer: "/service/customerfrontenddata/api/v1/psdata",
  login: "/service/login/api/v1/anything",
  preview: "/service/preview/api/auth/checkauth",
};

it.each(realServices)("asks the real $name service, and no other one, where its URL is set", async ({ name }) => {
  const stub = await startStub((_request, response) => response.writeHead(404).end());
  const store = await openTestStore(testLogger);
  const { app } = await createTestApp({ demo: true, store, upstreams: { [name]: stub.origin } });
  for (const call of Object.values(calls)) await request(app).get(call);
  expect(stub.requests.map(({ url }) => url)).toEqual([calls[name]]);
});

it("opens no store, sends no mail and signs nobody in where all services are real", async () => {
  const variables = Object.fromEntries(realServices.map(({ variable }) => [variable, "http://127.0.0.1:9"]));
  const context = createContext({ ...base, env: readEnv(variables) }, shop);
  const openStore = vi.fn(async () => expect.fail("the store was opened"));
  const openMailTransport = vi.fn(() => expect.fail("a mail transport was opened"));
  const service = await createApp({ ...context, openStore, openMailTransport });
  expect(service.jobs).toEqual([service.footer.promotions]);
  expect(await openAccounts(context)).toEqual({ jobs: [], demoSignIns: [] });
});
