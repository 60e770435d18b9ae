import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { minute } from "../../client/rules/time.ts";
import { packClient } from "../../deploy/build/client-package.ts";
import packageJson from "../../package.json" with { type: "json" };

const run = promisify(execFile);
const oldNode = resolve("test/node_modules", `node-20-${platform()}-${arch()}`, "bin/node");

/** A page team's program, which has the package installed. */
const program = await mkdtemp(join(tmpdir(), "program-"));

/** Uses everything that the package exports. */
const page = `
import { createFragments, type Fragment, type Outage } from "@storefront-fragments/client";
import { defineStorefrontElements } from "@storefront-fragments/client/element";
import { storefront } from "@storefront-fragments/client/express";
import { StorefrontFooter, StorefrontHead } from "@storefront-fragments/client/react";
import { startServer, stubFragments } from "@storefront-fragments/client/testing";
import express from "express";

export const outages: Outage[] = [];
export const { url, close } = await startServer();
export const fragments = createFragments({ service: url, deadline: 500, onOutage: (outage) => outages.push(outage) });
export const footer: Fragment = await fragments.get("footer", "DE", { reduced: true, platform: "MATCH" }, { cookie: null });
export const newsletter = await fragments.get("newsletter", "CH_FR", { origin: "SHOPPING_CART" });
// @ts-expect-error No fragment has this parameter.
export const wrong = fragments.get("footer", "DE", { origin: "NEWSLETTER" });
export const routes: string[] = await fragments.routes();
export const app = express().use(storefront(fragments, { site: (request: express.Request) => request.hostname }));
app.use(storefront(stubFragments("<footer></footer>"), { site: "DE", nonce: (_request, { locals }) => String(locals.nonce) }));
defineStorefrontElements();
export function Layout() {
  return <html><head><StorefrontHead fragments={fragments} site="DE" nonce="x" /></head>
    <body><StorefrontFooter fragments={fragments} site="DE" parameters={{ reduced: true }} />
      <storefront-footer site="DE" newsletter="false" /><storefront-newsletter site="DE" origin="SHOPPING_CART" />
    </body></html>;
}
`;

/** Passes undefined for each option, as code does that may have no value for it. */
const undecided = `
import { createFragments } from "@storefront-fragments/client";
import { storefront } from "@storefront-fragments/client/express";
import { StorefrontFooter } from "@storefront-fragments/client/react";
import { startServer, stubFragments } from "@storefront-fragments/client/testing";

const no = undefined;
const fragments = createFragments({ service: "http://localhost", deadline: no, fallback: no, onOutage: no, fetch: no });
createFragments({ service: "http://localhost", fallback: { footer: no, newsletter: no, head: no } });
const parameters = { reduced: no, platform: no, newsletter: no, preview: no };
fragments.get("footer", "DE", parameters, { cookie: no, nonce: no });
fragments.get("newsletter", "DE", { origin: no, originAddition: no }, no);
fragments.get("footer", "DE", no);
fragments.insert("", "DE", parameters, { cookie: no, nonce: no });
storefront(fragments, { site: "DE", parameters: no, nonce: no });
storefront(stubFragments({ footer: no, newsletter: no, head: no }), { site: "DE", parameters });
startServer({ port: no });
export const elements = [
  <StorefrontFooter fragments={fragments} site="DE" parameters={no} cookie={no} nonce={no} />,
  <storefront-footer site="DE" platform={no} reduced={no} newsletter={no} preview={no} />,
  <storefront-newsletter site="DE" origin={no} origin-addition={no} />,
];
`;

beforeAll(async () => {
  const tarball = await packClient(program);
  await writeFile(join(program, "package.json"), '{ "type": "module" }');
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: program });
  for (const name of ["express", "react", "@types"]) {
    await mkdir(dirname(join(program, "node_modules", name)), { recursive: true });
    await symlink(resolve("node_modules", name), join(program, "node_modules", name));
  }
  await writeFile(join(program, "page.tsx"), page);
  await writeFile(join(program, "undecided.tsx"), undecided);
}, 2 * minute);

afterAll(() => rm(program, { recursive: true }));

it.each([
  ["node16", "node16"],
  ["bundler", "esnext"],
])("has types for moduleResolution %s", async (moduleResolution, module) => {
  const options = { module, moduleResolution, target: "es2022", jsx: "react-jsx", types: ["node"] };
  const checks = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, allowJs: false };
  await writeFile(join(program, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...options, ...checks } }));
  const tsc = resolve("node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, "--project", program]).catch((failed) => failed);
  expect(stdout).toBe("");
});

it("runs on Node 20, with the fragments of the release and the files that they load", async () => {
  const script = `
    import { createFragments } from "@storefront-fragments/client";
    import { defineStorefrontElements } from "@storefront-fragments/client/element";
    import { storefront } from "@storefront-fragments/client/express";
    import { StorefrontHead } from "@storefront-fragments/client/react";
    import { startServer, stubFragments } from "@storefront-fragments/client/testing";
    const { url, close } = await startServer();
    const fragments = createFragments({ service: url });
    defineStorefrontElements();
    const { html, head, state } = await fragments.get("footer", "CH_FR");
    const files = [...(html + head).matchAll(/"(\\/(?:assets|service)\\/[^"#?]+\\.(?:css|json|js|svg))["?]/g)].map(([, path]) => path);
    const style = await (await fetch(url + files.find((path) => path.endsWith(".css")))).text();
    const [, sprite] = /url\\(\\.\\/(icons-\\w+\\.svg)\\)/.exec(style);
    const asked = [...files, "/assets/" + sprite, "/service/abtestfrontend/api/v1/getassignment"];
    const statuses = await Promise.all(asked.map(async (path) => (await fetch(url + path)).status));
    await close();
    const stub = stubFragments("<footer></footer>");
    const after = await fragments.get("newsletter", "DE");
    console.log(JSON.stringify({ html, state, statuses, page: await stub.insert("<body></body>", "DE"), after: after.state }));
  `;
  const { stdout, stderr } = await run(oldNode, ["--input-type=module", "--eval", script], { cwd: program });
  const { html, statuses, ...rest } = JSON.parse(stdout);
  expect(html).toMatch(/^<footer .*data-site="CH_FR"/);
  expect(statuses.length).toBeGreaterThan(10);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(rest).toEqual({ state: "fresh", page: "<body><footer></footer></body>", after: "absent" });
  expect(stderr).toMatch(/^storefront-fragments: the newsletter of DE has an outage: fetch failed.*\n$/);
});

it("has no dependency, and the version of the service", async () => {
  const installed = join(program, "node_modules/@storefront-fragments/client/package.json");
  const description = JSON.parse(await readFile(installed, "utf8"));
  expect(description).toMatchObject({ version: packageJson.version, license: packageJson.license });
  expect(description).not.toHaveProperty("dependencies");
});
