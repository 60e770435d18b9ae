import { cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { productionVariables } from "../../support/production-variables.ts";
import { runCommand } from "../../support/run-command.ts";

const wrong = { PORT: "x", NODE_ENV: "production" };

/** Copies the example shop. */
async function copyShop(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "shop-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp("examples/maestral", folder, { recursive: true });
  return folder;
}

async function replace(path: string, text: string | RegExp, other: string): Promise<void> {
  const content = await readFile(path, "utf8");
  expect(content).toMatch(text);
  await writeFile(path, content.replace(text, other));
}

/** Moves a file or folder of a shop elsewhere, and leaves a link. */
async function link(folder: string, name: string): Promise<void> {
  const elsewhere = await mkdtemp(join(tmpdir(), "linked-"));
  onTestFinished(() => rm(elsewhere, { recursive: true }));
  await rename(join(folder, name), join(elsewhere, "target"));
  await symlink(join(elsewhere, "target"), join(folder, name));
}

const check = (SHOP_DIR: string, variables: Record<string, string> = {}, ...options: string[]) =>
  runCommand({ ...variables, SHOP_DIR }, "check", ...options);

it("names every fault, gap and low contrast of a shop in one run, as lines and as JSON", async () => {
  const folder = await copyShop();
  await replace(join(folder, "countries/gr.ts"), "minimumAge:", "minimumAgee:");
  await replace(join(folder, "countries/gr.ts"), '"greece"', '"atlantis"');
  await replace(join(folder, "countries/hr.json"), "{", '{ "gaps": ["/imprint"],');
  await replace(join(folder, "locales/el-GR/footer.json"), '"headline"', '"hedline"');
  await replace(join(folder, "locales/el-GR/login.json"), /"email\.label": ".*",/, "");
  await replace(join(folder, "locales/el-GR/mail.json"), "{{minimumAge}}\\u00a0έτους", "");
  await replace(join(folder, "brand.json"), '"inkSoft": "#46606d"', '"inkSoft": "#8aa0ab", "inkHard": "#000000"');
  await link(folder, "logos/visa.svg");
  await cp(join(folder, "logos/iris.svg"), join(folder, "logos/Iris logo.svg"));
  const { code, stdout, stderr } = await check(folder, wrong);
  expect([code, stdout]).toEqual([1, ""]);
  const lines = stderr.trimEnd().split("\n");
  const expected = [
    /^environment: PORT must be integer$/,
    /^environment: SITE_ORIGIN_GR must be the origin/,
    /^environment: SITE_ORIGIN_HR must be the origin/,
    /^countries\/gr\.ts \/newsletter\/minimumAge is missing \(line \d+\)$/,
    /^countries\/gr\.ts \/newsletter\/minimumAgee is not known \(line \d+\)$/,
    /^countries\/gr\.ts \/switcher\/flag names an image that doesn't exist: atlantis \(line \d+\)$/,
    /^countries\/hr\.json \/imprint is still another country's: set it/,
    /^locales\/el-GR\/footer\.json \/hedline is not known \(line \d+\)$/,
    /^locales\/el-GR\/footer\.json \/headline is missing$/,
    /^locales\/el-GR\/login\.json \/email\.label is missing$/,
    /^locales\/el-GR\/mail\.json \/confirm\.age_one must have each placeholder once: /,
    /^brand\.json \/colors\/inkHard is not known \(line \d+\)$/,
    /^brand\.json \/colors\/inkSoft has a contrast of 2\.\d+:1 on \/colors\/\w+, and needs 4\.5:1; \d other pairs are too close; .* passes is #\w{6} \(line \d+\)$/,
    /^logos\/visa\.svg must be a file or a folder, and not a link$/,
  ];
  expect(lines).toEqual(expect.arrayContaining(expected.map((line) => expect.stringMatching(line))));
  expect(lines.filter((line) => line.includes("/confirm.age"))).toHaveLength(1);

  const inJson = await check(folder, wrong, "--json");
  const found: { kind: string; file: string; field?: string; message: string }[] = JSON.parse(inJson.stdout);
  const count = (kind: string) => found.filter((entry) => entry.kind === kind).length;
  const sum = `faults: ${count("fault")}, gaps: 3. Faults prevent a start, gaps don't.`;
  expect([inJson.code, inJson.stderr, lines.at(-1)]).toEqual([1, `${sum}\n`, sum]);
  expect(found).toHaveLength(lines.length - 1);
  expect(found).toEqual(
    expect.arrayContaining([
      { kind: "fault", file: "environment", field: "PORT", message: "must be integer" },
      { kind: "fault", file: "logos/visa.svg", message: "must be a file or a folder, and not a link" },
      { kind: "fault", file: "logos/Iris logo.svg", message: "must be named <name>.svg" },
      { kind: "fault", file: "locales/el-GR/footer.json", field: "/hedline", message: "is not known", line: 2 },
      { kind: "gap", file: "locales/el-GR/footer.json", field: "/headline", message: "is missing" },
    ]),
  );
});

it("says in one line that all is right and, in production, that the shop is ready for it", async () => {
  const stdout = "no faults, no gaps; NODE_ENV=production names what only production refuses\n";
  const right = { code: 0, stdout, stderr: "" };
  expect(await check("examples/maestral")).toEqual(right);
  expect(await check("examples/maestral", {}, "--json")).toEqual({ ...right, stdout: "[]\n" });
  const { SHOP_DIR = "", ...production } = productionVariables;
  expect(await check(SHOP_DIR, production)).toMatchObject({ code: 0, stdout: expect.stringContaining("production") });
});

const lonely: [what: string, change: (folder: string) => Promise<unknown>, lines: string[]][] = [
  [
    "a brand that can't be read",
    (folder) => writeFile(join(folder, "brand.json"), "{"),
    ["brand.json isn't valid JSON (line 1, column 2)"],
  ],
  ["a linked brand", (folder) => link(folder, "brand.json"), ["brand.json must be a file or a folder, and not a link"]],
  ["linked countries", (folder) => link(folder, "countries"), ["countries must be a file or a folder, and not a link"]],
  [
    "countries that can't be loaded",
    async (folder) => {
      await writeFile(join(folder, "countries/gr.ts"), "throw new Error('planted');");
      await writeFile(join(folder, "countries/hr.json"), "1");
    },
    ["countries/gr.ts can't be loaded: planted (line 1)", "countries/hr.json has no country as its default export"],
  ],
  ...["el-GR", "de"].map((locale): (typeof lonely)[number] => [
    `texts in ${locale} that can't be read`,
    (folder) => writeFile(join(folder, `locales/${locale}/footer.json`), "{"),
    [`locales/${locale}/footer.json isn't valid JSON (line 1, column 2)`],
  ]),
  [
    "a footer without texts",
    (folder) => rm(join(folder, "locales/el-GR/footer.json")),
    ["countries/gr.ts /footerLocale no footer texts in locale el-GR (line 6)"],
  ],
];

it.each(lonely)("names nothing that only follows from another fault: %s", async (_what, change, lines) => {
  const folder = await copyShop();
  await change(folder);
  const { stderr } = await check(folder);
  expect(stderr.split("\n").slice(0, -2)).toEqual(lines);
});

it("lists every sentence that is stored or mailed in the shop's name, and where it comes from", async () => {
  const { code, stdout } = await check("examples/maestral", {}, "--texts", "--json");
  const listed: { site: string; place: string; text: string }[] = JSON.parse(stdout);
  expect(code).toBe(0);
  const textOf = (site: string, place: string) => listed.find((one) => one.site === site && one.place === place)?.text;
  expect(textOf("HR", "locales/hr-HR/newsletter.json /legal.consent")).toContain("Maestral");
  expect(textOf("HR", "locales/hr-HR/mail.json /welcome.text")).toMatch(/Maestral \(\S+\)/);
  expect(textOf("HR", "locales/hr-HR/mail.json /confirm.validity")).toContain("{{untilDate}}");
  expect(listed.filter(({ text }) => /\{\{(?!untilDate|untilTime|validUntil|code)|\]\(/.test(text))).toEqual([]);
  expect(new Set(listed.map(({ site }) => site))).toEqual(new Set(["GR", "HR"]));
  const lines = (await check("examples/maestral", {}, "--texts")).stdout;
  for (const { site, place, text } of listed) expect(lines).toContain(`${site} ${place}\n  ${text}\n`);
});
