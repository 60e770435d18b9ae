import { readFile } from "node:fs/promises";
import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import builtIn from "../../../brand.json" with { type: "json" };
import type { BrandFile } from "../../../schemas/types.ts";
import { StartError } from "../../../server/platform/errors.ts";
import { createValidator } from "../../../server/platform/validate.ts";
import { brand, createTestApp, siteOf } from "../../support/test-app.ts";
import { loadOwnShop, writeShop } from "../../support/write-shop.ts";

const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><path d="M0 0h120v40H0z"/></svg>';
/** The start of a PNG file, which is all that is checked. */
const picture = Buffer.from("89504e470d0a1a0a0000", "hex");
const font = await readFile("examples/maestral/fonts/manrope-greek.woff2");
const withFont = {
  "fonts/own.woff2": font,
  "fonts/OFL.txt": "Anybody may use it.",
  "brand.json": {
    type: {
      font: { family: "Own", licence: "fonts/OFL.txt", files: [{ file: "fonts/own.woff2", weight: "200 800" }] },
    },
  },
};

async function faultsOf(brandFile: object | string): Promise<string[]> {
  const error: unknown = await loadOwnShop(await writeShop({ "brand.json": brandFile })).catch((reason) => reason);
  expect(error).toBeInstanceOf(StartError);
  return error instanceof StartError ? error.faults : [];
}

describe("a shop's brand", () => {
  it("takes from the built-in one all that it doesn't set", async () => {
    const own = {
      name: "Haus am Markt",
      legalNames: { AT: "Haus am Markt GmbH" },
      topics: { AT: "Möbel und Leuchten" },
      imprints: { AT: { address: "Ring 1, 1010 Wien" } },
      colors: { accent: "#004488" },
      radius: { box: 0 },
      mail: { dark: { ink: "#ffffff" } },
    };
    const parts = await loadOwnShop(await writeShop({ "brand.json": own }));
    expect(parts.brand).toEqual({
      ...brand,
      name: own.name,
      legalNames: own.legalNames,
      topics: own.topics,
      imprints: own.imprints,
      // Colours derived from the accent follow the shop's own accent.
      colors: { ...builtIn.colors, accent: "#004488", accentDark: "#003366", focus: "#004488" },
      radius: { box: 0, button: builtIn.radius.button },
      mail: { ...builtIn.mail, dark: { ...builtIn.mail.dark, ink: "#ffffff" } },
    });
    const senderOf = (code: string) => parts.countries.get(code)?.newsletter.sender;
    expect(senderOf("AT")).toBe("Haus am Markt GmbH");
    expect(senderOf("DE")).toMatch(/^Storefront/);
    const topicsOf = (code: string) => parts.countries.get(code)?.newsletter.topics;
    expect([topicsOf("AT"), topicsOf("DE")]).toEqual(["Möbel und Leuchten", siteOf("DE").newsletter.topics]);
    const ofCountry = siteOf("AT").imprint;
    expect(parts.countries.get("AT")?.imprint).toEqual({ ...ofCountry, address: "Ring 1, 1010 Wien" });
  });

  it("keeps to the schema, and is readable, as the built-in one is", async () => {
    expect(createValidator<BrandFile>("brand")(builtIn)).toMatchObject({ valid: true });
    const { $schema, ...own } = builtIn;
    expect((await loadOwnShop(await writeShop({ "brand.json": own }))).brand).toEqual(brand);
  });

  it("is refused with every field that is wrong", async () => {
    expect(await faultsOf("{")).toEqual(["brand.json isn't valid JSON (line 1, column 2)"]);
    const faults = await faultsOf({
      name: " ",
      slogan: "Better",
      colors: { accent: "brown", accnt: "#000000" },
      type: { stack: "Arial; color: red" },
      radius: { box: -1 },
      spacing: 2,
      logo: { file: "../logo.svg" },
    });
    expect(faults.map((fault) => fault.match(/^brand\.json \/\S+/)?.[0]).sort()).toEqual([
      "brand.json /colors/accent",
      "brand.json /colors/accnt",
      "brand.json /logo/file",
      "brand.json /name",
      "brand.json /radius/box",
      "brand.json /slogan",
      "brand.json /spacing",
      "brand.json /type/stack",
    ]);
  });

  it("is refused with every file that is missing or isn't what it should be", async () => {
    const folder = await writeShop({
      "fonts/text.woff2": "no font",
      "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script></svg>',
      "icon.svg": "no icon",
      "social.png": "no picture",
      "brand.json": {
        logo: { file: "logo.svg" },
        favicon: { file: "icon.svg" },
        socialImage: { file: "social.png" },
        type: {
          font: {
            family: "Own",
            licence: "fonts/OFL.txt",
            files: [
              { file: "fonts/text.woff2", weight: "400" },
              { file: "fonts/none.woff2", weight: "700" },
            ],
          },
        },
      },
    });
    await expect(loadOwnShop(folder)).rejects.toMatchObject({
      faults: [
        "brand.json /type/font/licence fonts/OFL.txt doesn't exist",
        "brand.json /type/font/files/0/file fonts/text.woff2 isn't a WOFF2 file",
        "brand.json /type/font/files/1/file fonts/none.woff2 doesn't exist",
        "brand.json /logo/file logo.svg must not have the element script",
        "brand.json /favicon/file icon.svg isn't well-formed SVG: see line 1",
        "brand.json /socialImage/file social.png isn't a PNG or JPEG file",
      ],
    });
  });

  it("is refused with every colour that can't be told apart, how far, and the nearest shade that can", async () => {
    // The contrast of #767676 on white is 4.54, that of #777777 is 4.47: https://webaim.org/resources/contrastchecker/
    expect(await faultsOf({ colors: { info: "#777777" } })).toEqual([
      "brand.json /colors/info has a contrast of 4.47:1 on /colors/surface, and needs 4.5:1; the nearest shade that passes is #767676",
    ]);
    expect(await faultsOf({ colors: { fieldLine: "#c0c0c0" }, mail: { dark: { ink: "#51463d" } } })).toEqual([
      expect.stringMatching(
        /^brand\.json \/colors\/fieldLine .* on \/colors\/surfaceStrong, and needs 3:1; 1 other pair is too close; .* #/,
      ),
      expect.stringMatching(/^brand\.json \/mail\/dark\/ink .* on .*, and needs 4\.5:1; 1 other pair is .* #/),
    ]);
    // One wrong colour of the shop also affects the text of buttons, and two colours that derive from it.
    const [light = "", ...others] = await faultsOf({ colors: { accent: "#e0b080" } });
    expect(others).toEqual([]);
    expect(light).toMatch(/^brand\.json \/colors\/accent .*; \d+ other pairs are too close; .* passes is #/);
    const accent = light.slice(-7);
    const passing = await loadOwnShop(await writeShop({ "brand.json": { colors: { accent } } }));
    expect(passing.brand.colors.accent).toBe(accent);
    expect(await faultsOf({ colors: { surface: "#808080" } })).toEqual([
      expect.stringMatching(/^brand\.json \/colors\/surface must change: \/colors\/.* passes is #/),
    ]);
    const { brand: readable } = await loadOwnShop(await writeShop({ "brand.json": { colors: { sale: "#767676" } } }));
    expect(readable.colors.saleDark).toBe("#595959");
  });

  it("is compared in all colours that are known, whatever else is wrong", async () => {
    const colors = { accent: "brown", line: "#333333", info: "#777777" };
    expect(await faultsOf({ slogan: "Better", colors, type: { font: { family: "Own" } } })).toEqual([
      expect.stringMatching(/ \/slogan is not known$/),
      expect.stringMatching(/ \/colors\/accent must match pattern /),
      expect.stringMatching(/ \/type\/font\/licence is missing$/),
      expect.stringMatching(/ \/type\/font\/files is missing$/),
      expect.stringMatching(/ \/colors\/info has a contrast of 4\.47:1 on \/colors\/surface, and needs 4\.5:1;/),
    ]);
  });

  it("comes with the stylesheets that every page loads, at other addresses and in every encoding", async () => {
    const { app, deps } = await createTestApp();
    const own = await createTestApp(
      await loadOwnShop(await writeShop({ "brand.json": { colors: { ink: "#101820" } } })),
    );
    for (const name of ["footer.css", "newsletter.css", "page.css"]) {
      const [before, after] = [deps.assets.url(name), own.deps.assets.url(name)];
      expect(after).not.toBe(before);
      const { text } = await request(app).get(before).expect(200);
      const answer = await request(own.app).get(after).set("Accept-Encoding", "identity").expect(200);
      expect(answer.text.startsWith(text)).toBe(true);
      expect(answer.text.slice(text.length)).toContain("--sf-ink:#101820");
      const compressed = await request(own.app).get(after).set("Accept-Encoding", "br").expect(200);
      expect(compressed.headers).toMatchObject({ "content-encoding": "br", vary: "Accept-Encoding" });
      // A replica of another release, or with another brand, has sent pages that request it.
      await request(own.app).get(before).expect(200);
    }
    const { headers } = await request(own.app).get("/fragments/footer/DE");
    expect(headers.link).toContain(own.deps.assets.url("footer.css"));
    expect(headers["surrogate-key"]).toContain(`build-${own.deps.assets.build}`);
    expect(own.deps.assets.build).not.toBe(deps.assets.build);
  });

  it("has a font that browsers may load from where the stylesheets are, and from nowhere else", async () => {
    const parts = await loadOwnShop(await writeShop(withFont), { ASSET_BASE_URL: "https://cdn.example" });
    const { app } = await createTestApp(parts);
    const { text } = await request(app).get(`/assets/${parts.assets.url("page.css").split("/").at(-1)}`);
    const [, source = ""] =
      text.match(/@font-face\{font-family:"sf-Own";[^}]*font-display:swap;src:url\("([^"]+)"\)/) ?? [];
    expect(source).toMatch(/^own-[0-9A-F]{8}\.woff2$/);
    const answer = await request(app).get(`/assets/${source}`).expect(200);
    expect(answer.body).toEqual(font);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "font/woff2",
    });
    const policyOf = async (shop: typeof app) =>
      (await request(shop).get("/login").set("Host", "de.localhost")).headers["content-security-policy"];
    expect(await policyOf(app)).toContain(";font-src 'self' https://cdn.example;");
    expect(await policyOf((await createTestApp()).app)).not.toContain("font-src");
    await request(app).get("/assets/OFL.txt").expect(404);
  });

  it("has its name in every text that asks for it", async () => {
    const folder = await writeShop({
      "brand.json": { name: "A $& B" },
      "locales/de/footer.json": {
        headline: "{{brand}}: gut zu wissen bei {{brand}}",
        "returns.periodDays_other": "{{brand}} nimmt {{returnPeriod}}\u00a0Tage zurück",
      },
    });
    const { app } = await createTestApp(await loadOwnShop(folder));
    const $ = load((await request(app).get("/fragments/footer/DE").expect(200)).text);
    expect($("h2").first().text()).toBe("A $& B: gut zu wissen bei A $& B");
    expect($("[data-section=teasers]").text()).toContain("A $& B nimmt 30\u00a0Tage zurück");
  });

  it("has its name and its images on pages, and the logo in the header fragment", async () => {
    const icon = logo.replace("120 40", "40 40");
    const images = { logo: { file: "logo.svg" }, favicon: { file: "icon.svg" }, socialImage: { file: "social.png" } };
    const folder = await writeShop({
      "logo.svg": logo,
      "icon.svg": icon,
      "social.png": picture,
      "brand.json": { name: "Haus", ...images },
    });
    const { app } = await createTestApp(await loadOwnShop(folder));
    const $ = load((await request(app).get("/login").set("Host", "de.localhost").expect(200)).text);
    expect($("title").text()).toMatch(/ – Haus$/);
    expect($("header a").first().attr("aria-label")).toMatch(/^Haus – /);
    const image = $("header img");
    expect(image.attr()).toMatchObject({ alt: "Haus", width: "108", height: "36" });
    const fileOf = async (path = "") => String((await request(app).get(path).expect(200)).body);
    expect(await fileOf(image.attr("src"))).toBe(logo);
    expect(await fileOf($("link[rel=icon]").attr("href"))).toBe(icon);
    const social = new URL($("meta[property='og:image']").attr("content") ?? "");
    expect(social.origin).toBe(siteOf("DE").origin);
    expect(await fileOf(social.pathname)).toBe(String(picture));
    const fragment = load((await request(app).get("/fragments/header/DE").expect(200)).text);
    expect(fragment("img").attr()).toEqual(image.attr());
  });
});
