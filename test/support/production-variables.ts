import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { fileNameOf, findSites } from "../../server/config/country-files.ts";
import { documentAt } from "../docs/read-documents.ts";

const [example] = documentAt("docs/go-live.md").blocks.filter(({ language }) => language === "ini");

/** The environment for production in the documents, with examples in place of the shop's own values. */
export const exampleVariables = Object.fromEntries(
  Object.entries(parseEnv(example?.code ?? "")).map(([name, value = ""]) => [name, value]),
);

/** An origin for each existing site. */
export const productionOrigins = Object.fromEntries(
  findSites("countries").map((site) => [`SITE_ORIGIN_${site}`, `https://${fileNameOf(site)}.shop.internal`]),
);

/** The same, filled in for all existing sites: everything that a start in production needs. */
export const productionVariables: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(exampleVariables).map(([name, value]) => [name, value.replace("shop.example", "shop.internal")]),
  ),
  ...productionOrigins,
  SHOP_DIR: resolve(".github/shop"),
  SECRET_KEY: randomBytes(32).toString("base64"),
};
