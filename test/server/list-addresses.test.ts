import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { readEnv } from "../../server/env.ts";
import { listAddresses } from "../../server/list-addresses.ts";
import { createTestApp, sites } from "../support/test-app.ts";

const { deps } = await createTestApp();
const last = sites.at(-1)?.site ?? "";

function linesOf(variables: Record<string, string>, signIns: string[] = []): string[] {
  const shop = { ...deps.shop, signIns };
  const text = listAddresses({ env: readEnv({ DEFAULT_SITE: last, ...variables }), port: 80, sites, shop });
  return stripVTControlCharacters(text).trim().split("\n");
}

it("the start lists what people want first: overview, default site, other sites, sign-ins, and what is for operators", () => {
  const [site, ...others] = [sites.at(-1), ...sites.slice(0, -1)].map((known) => known?.localHost);
  expect(
    linesOf({ SMTP_URL: "smtp://shop:secret@mail.internal" }, ["Customer  demo@example.com  open sesame"]),
  ).toEqual([
    "Overview  http://localhost:80/",
    ...[site, ...others].map((host) => `Shop      http://${host}:80/`),
    "Customer  demo@example.com  open sesame",
    "Mails     smtp://mail.internal",
    "Metrics   http://localhost:9464/metrics",
    "Widgets   http://localhost:80/widgets",
    `Preview   http://${site}:80/preview`,
  ]);
});

it("the start lists nothing that isn't served", () => {
  expect(linesOf({ OVERVIEW: "off", OPS_PORT: "0" }).map((line) => line.split(" ")[0])).toEqual([
    ...sites.map(() => "Shop"),
    "Mails",
    "Preview",
  ]);
});
