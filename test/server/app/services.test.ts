import { expect, it, vi } from "vitest";
import { openAccounts } from "../../../server/accounts/open-accounts.ts";
import { createApp } from "../../../server/app.ts";
import { readEnv } from "../../../server/config/env.ts";
import { realServices } from "../../../server/config/real-services.ts";
import { createContext } from "../../../server/context.ts";
import { base, shop, sites } from "../../support/test-app.ts";

type Service = (typeof realServices)[number];

const names = {
  "for all sites": ({ variable }: Service) => [variable],
  "for each site": ({ variable, bySite }: Service) =>
    bySite ? sites.map(({ site }) => `${variable}_${site}`) : [variable],
};

it.each(Object.entries(names))(
  "opens no store, sends no mail and signs nobody in where all services are real, %s",
  async (_how, namesOf) => {
    const variables = Object.fromEntries(realServices.flatMap(namesOf).map((name) => [name, "http://127.0.0.1:9"]));
    const context = createContext({ ...base, env: readEnv(variables) }, shop);
    const openStore = vi.fn(async () => expect.fail("the store was opened"));
    const openMailTransport = vi.fn(() => expect.fail("a mail transport was opened"));
    const service = await createApp({ ...context, openStore, openMailTransport });
    const job = expect.objectContaining({ close: expect.any(Function) });
    expect(service.jobs).toEqual([service.footer.promotions, job, job, job]);
    for (const { start } of service.jobs.slice(1)) await start();
    expect(await openAccounts(context)).toEqual({ jobs: [], demoSignIns: [] });
  },
);
