import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { readEnv } from "../../../server/config/env.ts";
import { listAddresses } from "../../../server/process/list-addresses.ts";
import { sites } from "../../support/test-app.ts";

const last = sites.at(-1)?.site ?? "";

function linesOf(variables: Record<string, string>, demoSignIns: string[] = [], onTerminal = false): string[] {
  const env = readEnv({ DEFAULT_SITE: last, ...variables });
  const shown = { newsletter: { mails: undefined }, preview: { paths: ["/preview"] } };
  const text = listAddresses({ env, port: 80, sites, demoSignIns, ...shown }, onTerminal);
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

it.each([
  [{}, ["Overview  http://localhost:80/", `Shop      http://${sites.at(-1)?.localHost}:80/`]],
  [{ OVERVIEW: "off" }, [`Shop      http://${sites.at(-1)?.localHost}:80/`]],
  // The home page is the demo's.
  [{ DEMO: "off", OVERVIEW: "on" }, ["Overview  http://localhost:80/"]],
])("on a terminal, the list is short and ends with the address of the shop: %j", (variables, addresses) => {
  const signIn = "Customer  demo@example.com  open sesame";
  expect(linesOf({ SMTP_URL: "smtp://mail.internal", ...variables }, [signIn], true)).toEqual([
    signIn,
    "Mails     smtp://mail.internal",
    ...addresses,
  ]);
});
