import { existsSync, globSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "cheerio";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Milliseconds } from "../../../client/rules/time.ts";
import { inlineIcons } from "../../../server/commands/export/inline-icons.ts";
import { type FooterSource, writeKeycloakFooter } from "../../../server/commands/export/standalone-footer.tsx";
import { watchFooters } from "../../../server/commands/export/watch-footers.ts";
import { markupFaults } from "../../support/markup-faults.ts";
import { runCommand } from "../../support/run-command.ts";
import { startProcess } from "../../support/start-process.ts";
import { startStub } from "../../support/start-stub.ts";
import { createTestApp, siteOf, sites } from "../../support/test-app.ts";
import { createTestLog } from "../../support/test-log.ts";

const program = [process.execPath, "dist/server/commands/main.js"] as const;

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "export-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const openFile = async (folder: string, site: string) =>
  load(await readFile(join(folder, site, "footer.html"), "utf8"), null, false);

it("writes the footer of every site whole, with nothing that a page of another host couldn't load", async () => {
  const folder = await createFolder();
  const data = join(folder, "data");
  const ended = await runCommand({ PORT: "3000", DATA_DIR: data }, "export", join(folder, "out"), "--json");
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  const expected = sites.flatMap(({ site }) =>
    ["footer.html", "footer.ftl"].map((name) => ({ site, file: join(folder, "out", site, name) })),
  );
  expect(JSON.parse(ended.stdout)).toEqual(expected);
  expect(globSync(join(folder, "**/*.*")).sort()).toEqual(expected.map(({ file }) => file).sort());
  expect(existsSync(data)).toBe(false);

  for (const { site, origin } of sites) {
    const $ = await openFile(join(folder, "out"), site);
    expect(markupFaults($.html()), site).toEqual([]);
    expect($("form, script, style, [style], [data-icon], [data-island]")).toHaveLength(0);
    expect($("[data-section]").first().attr("data-section")).toBe("teasers");
    const addresses = Array.from($("[href], [src]"), ({ attribs }) => attribs.href ?? attribs.src);
    for (const address of addresses) expect(address).toMatch(/^(https?:\/\/|mailto:|tel:)/);
    expect($("link").attr()).toEqual({
      rel: "stylesheet",
      href: expect.stringMatching(new RegExp(`^${origin}/assets/footer-\\w+\\.css$`)),
      integrity: expect.stringMatching(/^sha384-/),
      crossorigin: "anonymous",
    });
    expect($("a[data-consent]").attr("href")).toMatch(new RegExp(`^${origin}/`));
    expect($("a[data-consent]").attr("target")).toBeUndefined();
  }
});

it("has the texts, the icons and the origin of an own shop, and its files from ASSET_BASE_URL", async () => {
  const folder = await createFolder();
  const variables = {
    SHOP_DIR: "examples/maestral",
    SITE_ORIGIN_GR: "https://gr.maestral.example",
    ASSET_BASE_URL: "https://cdn.maestral.example/a",
    NODE_ENV: "production",
  };
  const ended = await runCommand(variables, "export", folder, "--site", "GR");
  expect(ended).toEqual({ code: 0, stdout: `2 files written to ${folder}\n`, stderr: "" });
  expect(existsSync(join(folder, "HR"))).toBe(false);
  const $ = await openFile(folder, "GR");
  expect($("link").attr("href")).toMatch(/^https:\/\/cdn\.maestral\.example\/a\/assets\/footer-/);
  expect($("img").first().attr("src")).toMatch(/^https:\/\/gr\.maestral\.example\/service\/footer-images\/logos\//);
  const icon = await readFile("examples/maestral/icons/viber.svg", "utf8");
  const [, line = ""] = /<path d="([^"]+)"/.exec(icon) ?? [];
  expect($("[data-section=social] a").text()).toContain("Viber");
  expect($(`[data-section=social] svg path[d="${line}"]`).length).toBe(1);
  expect($("footer").attr("lang")).toBe("el-GR");
});

it("names what is wrong, and writes nothing", async () => {
  const folder = await createFolder();
  const file = join(folder, "file");
  await writeFile(file, "");
  const run = (...words: string[]) => runCommand({}, "export", ...words);
  const all = await Promise.all([
    run(file, "--site", "DE"),
    run("/proc/footers", "--site", "DE"),
    run(folder, "--site", "XX"),
    run(folder, "--watch", "ftp://shop.example"),
    run(),
  ]);
  expect(all.map(({ code, stdout }) => [code, stdout])).toEqual([1, 1, 2, 2, 2].map((code) => [code, ""]));
  const [ofFile, ofRoot, ofSite, ofUrl, ofNothing] = all.map(({ stderr }) => stderr);
  expect(ofFile).toBe(`${file}/DE: can't be written (ENOTDIR)\n`);
  expect(ofRoot).toBe("/proc/footers/DE: can't be written (ENOENT)\n");
  expect(ofSite).toBe(`--site must be one of ${sites.map(({ site }) => site).join(", ")}\n`);
  expect(ofUrl).toMatch(/^--watch must be an address/);
  expect(ofNothing).toMatch(/^error: missing required argument 'folder'/);
  expect(globSync(join(folder, "*"))).toEqual([file]);
});

it("escapes for Keycloak what FreeMarker would interpret, and gives the footer the layout of a narrow box", () => {
  const text = "$5 $\u007ba} $$\u007bb} #\u007bc} <#if d></#if> <@e/></@e> #1";
  const template = writeKeycloakFooter(`<footer data-platform="CLASSIC"><p>${text}</p></footer>\n`);
  const [, content = ""] = /^<#macro content>\n(.*)\n<\/#macro>\n$/s.exec(template) ?? [];
  expect(content).not.toMatch(/[$#]\{|<\/?[#@]/);
  const $ = load(content, null, false);
  expect($("p").text()).toBe(text);
  expect($("footer").attr()).toEqual({ "data-platform": "MATCH", "data-layout": "MATCH" });
});

it("writes the inline styles of an icon as attributes, which win over its others as the styles did", () => {
  const drawing = {
    attributes: ' viewBox="0 0 8 8"',
    body: '<path fill="red" style="fill: #123; stroke-width:2" d="M1 1"/>',
  };
  const written = inlineIcons('<a href="/" data-icon="0-0">', {
    notices: "",
    icons: new Map([["a", drawing]]),
    flags: new Map(),
  });
  expect(written).not.toContain("style");
  const $ = load(written, null, false);
  expect($("svg path").attr()).toEqual({ fill: "#123", "stroke-width": "2", d: "M1 1" });
});

/** Waits until a condition holds. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 });

it("writes a service's footer again when its ETag changes, and asks conditionally", async () => {
  let promotion = { headline: "First", text: "One", link: { url: "/one", text: "To one" } };
  const { listener } = await createTestApp({
    renderCache: false,
    promotions: { current: () => promotion, nextChange: () => Number.POSITIVE_INFINITY },
  });
  const service = await startStub(listener);
  const watched = watch(service.origin);
  await eventually(() => expect(watched.written.at(-1)?.html).toContain("First"));
  await eventually(() => expect(service.requests.length).toBeGreaterThan(3));
  expect(watched.written).toHaveLength(1);
  expect(service.requests[0]?.headers["if-none-match"]).toBeUndefined();
  expect(service.requests.at(-1)?.headers["if-none-match"]).toMatch(/^"/);
  promotion = { ...promotion, headline: "Second" };
  await eventually(() => expect(watched.written.at(-1)?.html).toContain("Second"));
  expect(watched.written).toHaveLength(2);
  expect(watched.written[1]?.html).toContain(`href="${siteOf("DE").origin}/one"`);
  await watched.end();
});

it("survives an outage and a fallback with one line, and keeps what it has", async () => {
  const { listener } = await createTestApp();
  const service = await startStub((_request, response) => void response.writeHead(503).end());
  const watched = watch(service.origin);
  await eventually(() => expect(service.requests.length).toBeGreaterThan(3));
  const { listener: failing } = await createTestApp({ renderElement: () => Promise.reject(new Error("planted")) });
  service.answer = failing;
  const before = service.requests.length;
  await eventually(() => expect(service.requests.length).toBeGreaterThan(before + 3));
  expect(watched.written).toEqual([]);
  expect(watched.failures()).toBeGreaterThan(5);
  expect(watched.messages()).toEqual(["footers can't be exported, the files stay as they are"]);
  service.answer = listener;
  await eventually(() => expect(watched.written).toHaveLength(1));
  await eventually(() => expect(watched.messages()).toHaveLength(2));
  await watched.end();
});

/** Watches the footer of DE. */
function watch(url: string) {
  const { logger, lines } = createTestLog();
  const stop = new AbortController();
  const written: FooterSource[] = [];
  let failures = 0;
  const interval: Milliseconds = 5;
  const ended = watchFooters({
    url,
    sites: [siteOf("DE")],
    logger,
    interval,
    signal: stop.signal,
    write: async (_site, source) => void written.push(source),
    onFailure: async () => void failures++,
  });
  const end = () => {
    stop.abort();
    return ended;
  };
  onTestFinished(end);
  return { written, failures: () => failures, messages: () => lines.map(({ msg }) => msg), end };
}

it("begins with the built-in footer while the service is down, follows it, and ends with 0 on SIGTERM", async () => {
  const folder = await createFolder();
  const { listener } = await createTestApp();
  const service = await startStub((_request, response) => void response.writeHead(503).end());
  const words = ["export", folder, "--site", "DE", "--watch", service.origin, "--json"];
  const command = startProcess({ PORT: "3000" }, [...program, ...words]);
  const file = join(folder, "DE/footer.html");
  await eventually(() => expect(existsSync(file)).toBe(true));
  await eventually(() => expect(command.stdout()).toContain("footer.ftl"));
  const builtIn = await readFile(file, "utf8");
  service.answer = listener;
  await eventually(() => expect(command.stdout().split("footer.ftl")).toHaveLength(3));
  // The service in this process has no other content, so both are the same footer.
  expect(await readFile(file, "utf8")).toBe(builtIn);
  command.signal("SIGTERM");
  expect(await command.ended).toMatchObject({ code: 0, signal: null });
  expect(command.stderr().trim().split("\n")).toHaveLength(2);
});
