import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import germany from "../../../countries/de.ts";
import german from "../../../locales/de/footer.json" with { type: "json" };
import type { Country } from "../../../schemas/types.ts";
import { StartError } from "../../../server/platform/errors.ts";
import { warnOfConfiguration } from "../../../server/process/configuration-warnings.ts";
import { findGaps } from "../../../server/sites/find-gaps.ts";
import { context, createTestApp } from "../../support/test-app.ts";
import { createTestLog } from "../../support/test-log.ts";
import { loadOwnShop, writeShop } from "../../support/write-shop.ts";

const svg = (body: string, attributes = 'viewBox="0 0 24 16"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${body}</svg>`;
const drawing = svg('<path d="M0 0h24v16H0z"/>');
const png = Buffer.from("89504e470d0a1a0a", "hex");

/** Returns a valid file of Italy, except for `changes`. */
function italy(changes: object = {}): Country {
  return {
    ...structuredClone<Country>(germany),
    site: "IT",
    origin: "https://it.shop.example",
    localHost: "it.localhost",
    switcher: { code: "it", flag: "europe" },
    ...changes,
  };
}

/** Italy's footer with another logo, icon and text. */
function footerWith(source: string, iconName: string, text: string): Country["footer"] {
  const { footer } = italy();
  const [group] = footer.teaser.groups;
  group?.images.push({ label: "Own", source });
  footer.socialMedia.socialMediaIcons.push({ iconName, link: { url: "https://social.shop.example", text } });
  return footer;
}

describe("a shop's own folder", () => {
  it("is refused with every fault in it, by file and field", async () => {
    const folder = await writeShop({
      "countries/it.json": italy({ currency: "EUR", footer: footerWith("visa", "heart", "social.own") }),
      "countries/broken.json": "{",
      "countries/README.md": "# Countries",
      "countries/old/at.json": italy(),
      "locales/it-IT/footer.json": { headline: "Servizio {{phone}}", hedline: "Servizio", "legal.terms": 1 },
      "locales/it-IT/newsletter.json": { "legal.terms": "Valgono le [condizioni](privacy)." },
      "locales/it-IT/login.json": ["Accedi"],
      "locales/it-IT/mail.json": "{bad",
      "locales/it-IT/shopping.json": {},
      "locales/italian/footer.json": {},
      "locales/footer.json": {},
      "logos/evil.svg": svg('<script>alert(1)</script><use href="https://evil.example/a.svg#a"/><path onclick="a()"/>'),
      "logos/large.svg": svg(`<title>${"a".repeat(51 * 1024)}</title>`),
      "logos/Visa logo.svg": drawing,
      "logos/visa.png": png,
      "logos/credentials": "secret",
      "logos/more/visa.svg": drawing,
      "fonts/OFL.txt": "Anybody may use it.",
      "flags/italy.svg": svg('<path id="green"/>'),
      "icons/heart.svg": svg("<path/>", ""),
      "icons/bag.svg": "<svg><path></svg>",
      "pictures/273x273.svg": drawing,
      "pictures/273x273.png": png,
      "pictures/summer.svg": drawing,
    });
    const elsewhere = await writeShop({ "key.svg": drawing });
    for (const link of ["logos/data", "logo.svg", "flags/key.svg", "locales/..data"])
      await symlink(link.endsWith(".svg") ? join(elsewhere, "key.svg") : elsewhere, join(folder, link));
    const error: unknown = await loadOwnShop(folder).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartError);
    const namespaces =
      "demo, footer, login, mail, newsletter, page, preferences, preview, seasons, sign-in, staff-sign-in, subscription, widgets";
    const pictures =
      "273x273, 400x300, hero, hero-autumn, hero-spring, hero-summer, hero-winter, world-coffee, world-fashion, world-living, world-mobile";
    expect(error instanceof StartError && error.faults).toEqual([
      "flags/key.svg must be a file or a folder, and not a link",
      "locales/..data must be a file or a folder, and not a link",
      "logo.svg must be a file or a folder, and not a link",
      "logos/data must be a file or a folder, and not a link",
      "countries/README.md must be named countries/<name>.ts or .json",
      "countries/old/at.json must be named countries/<name>.ts or .json",
      "locales/footer.json must be named locales/<locale>/<namespace>.json",
      "locales/it-IT/footer.json /headline must have no placeholder, and has {{phone}}",
      "locales/it-IT/footer.json /hedline is not known",
      "locales/it-IT/footer.json /legal.terms must be a text",
      "locales/it-IT/login.json must hold texts by their keys",
      "locales/it-IT/mail.json isn't valid JSON (line 1, column 2)",
      "locales/it-IT/newsletter.json /legal.terms must have each link once: (terms)",
      `locales/it-IT/shopping.json isn't a namespace: it must be one of ${namespaces}`,
      "locales/italian/footer.json must be named locales/<locale>/<namespace>.json",
      "countries/broken.json isn't valid JSON (line 1, column 2)",
      "countries/it.json /currency is not known",
      'countries/it.json /footer/socialMedia/socialMediaIcons/5/link/text no text "social.own" in locale de',
      "flags/italy.svg must not have an id",
      "icons/bag.svg isn't well-formed SVG: see line 1",
      "icons/heart.svg must have a viewBox of four numbers",
      "logos/Visa logo.svg must be named <name>.svg",
      "logos/credentials must be named <name>.svg",
      "logos/evil.svg must not have the element script",
      "logos/evil.svg must not have the event handler onclick",
      "logos/evil.svg must not refer to anything outside, as href does",
      "logos/large.svg must not be larger than 50 kB",
      "logos/more/visa.svg must be named <name>.svg",
      "logos/visa.png must be named <name>.svg",
      "logos/visa.png replaces the same picture as more/visa.svg",
      "pictures/273x273.svg replaces the same picture as 273x273.png",
      `pictures/summer.svg replaces no picture: it must be one of ${pictures}`,
      "brand.json /type/font doesn't name fonts/OFL.txt",
    ]);
  });

  it("has no placeholder but {{name}}, and no text within a text", async () => {
    const forms = [
      "$t(legal.terms)",
      "{{- sender}}",
      "{{ sender }}",
      "{{a.b}}",
      "{{sender, uppercase}}",
      "{{{sender}}}",
    ];
    const locales = ["cs-CZ", "hu-HU", "pl-PL", "sk-SK", "tr-TR", "fr-CH"];
    const texts = forms.map((form, index) => [
      `locales/${locales[index]}/newsletter.json`,
      { title: `{{discount}} ${form}` },
    ]);
    const error: unknown = await loadOwnShop(await writeShop(Object.fromEntries(texts))).catch((reason) => reason);
    const faults = error instanceof StartError ? error.faults : [];
    for (const locale of locales)
      expect(faults).toContainEqual(
        `locales/${locale}/newsletter.json /title must write a placeholder as {{name}}, and have no other {{, }} or $t(`,
      );
  });

  it("may be a link, and may have anything beside what the service reads", async () => {
    const folder = await writeShop({ "logos/visa.svg": drawing });
    const { build } = (await loadOwnShop(folder)).assets;
    await writeFile(join(folder, "package.json"), "{}");
    await symlink("/", join(folder, "node_modules"));
    const link = join(await writeShop({}), "shop");
    await symlink(folder, link);
    expect((await loadOwnShop(link)).assets.build).toBe(build);
  });

  it("starts with images that don't exist: they are logged, are gaps, and are left out of the footer", async () => {
    const own = { switcher: { code: "it", flag: "atlantis" }, footer: footerWith("nobody", "nothing", "legal.terms") };
    Object.assign(own.footer.teaser.groups[0]?.heading ?? {}, { iconName: "lost" });
    const parts = await loadOwnShop(await writeShop({ "countries/it.json": italy(own) }));
    const names = ["atlantis", "lost", "nobody", "nothing"];
    const { logger, lines } = createTestLog();
    warnOfConfiguration({ ...context, ...parts, logger });
    const errors = lines.filter(({ level }) => level === 50).map(({ site, source }) => `${site} ${source}`);
    expect(errors.sort()).toEqual(names.map((name) => `IT ${name}`));
    const gaps = findGaps(parts.countries.sites, parts.texts).filter((gap) => gap.startsWith("countries/"));
    expect(gaps).toContain("countries/it.json /switcher/flag names an image that doesn't exist: atlantis");
    expect(gaps.map((gap) => gap.split(": ")[1]).sort()).toEqual(names);

    const { app } = await createTestApp({ ...parts, defaultSite: "IT" });
    const { text, headers } = await request(app).get("/fragments/footer/IT").expect(200);
    expect(headers["x-fragment-state"]).toBe("fresh");
    expect(text).not.toMatch(/atlantis|lost|nobody|nothing/);
    const $ = load(text);
    const { groups } = germany.footer.teaser;
    expect($("[data-section=teasers] > nav")).toHaveLength(groups.length);
    expect($("[data-section=payment] li")).toHaveLength(groups.flatMap(({ images }) => images).length);
    expect($("[data-section=social] a").last().text()).toContain(german["legal.terms"]);
    expect($("[data-section=country-switcher] a").text()).not.toBe("");
    const empty = $("li").filter((_index, item) => $(item).text() === "" && $(item).find("img").length === 0);
    expect(empty).toHaveLength(0);
  });

  it("goes over the built-in shop, text by text and file by file", async () => {
    const folder = await writeShop({
      "locales/de/footer.json": { headline: "Hilfe" },
      "logos/visa.svg": svg("<title>Own Visa</title>"),
      "flags/germany.svg": svg('<path fill="#123456" d="M0 0h24v16H0z"/>'),
      "icons/heart.svg": `<!-- <svg> -->${svg("<path/>", 'viewBox="0 0 24 24" fill="none" stroke="currentColor"')}`,
      "pictures/400x300.png": png,
      "pictures/hero.png": png,
      "locales/de/.footer.json.swp": "open in an editor",
      "locales/de/footer.json~": "as it was before",
    });
    const parts = await loadOwnShop(folder);
    const { app } = await createTestApp({ ...parts, demo: true });
    const get = (path: string) => request(app).get(path).expect(200);

    const $ = load((await get("/fragments/footer/DE")).text);
    expect($("h2").first().text()).toBe("Hilfe");
    expect($("[data-section=legal]").text()).toContain(german["legal.imprint"]);
    expect($("source").first().attr("srcset")).toMatch(/\/400x300\.png\?v=[0-9A-F]{8}$/);
    expect((await get(String($("source").first().attr("srcset")))).type).toBe("image/png");
    expect((await get("/service/footer-images/logos/visa.svg")).body.toString()).toContain("Own Visa");
    await get("/service/footer-images/logos/dhl.svg");
    await writeFile(join(folder, "logos/visa.svg"), svg("<title>Another</title>"));
    await writeFile(join(folder, "logos/later.svg"), drawing);
    expect((await get("/service/footer-images/logos/visa.svg")).body.toString()).toContain("Own Visa");
    await request(app).get("/service/footer-images/logos/later.svg").expect(404);

    const style = await get(String($("link[rel=stylesheet]").attr("href")));
    const named = [...style.text.matchAll(/icons-\w+\.svg/g)].map(String);
    // The last one counts.
    expect(`/assets/${named.at(-1)}`).toBe(parts.assets.url("icons.svg"));
    const sprite = await get(parts.assets.url("icons.svg"));
    expect(sprite.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-encoding": "gzip",
      "content-type": "image/svg+xml",
    });
    const drawn = sprite.body.toString();
    expect(drawn).toMatch(
      /<svg id="flag-germany" x="\d+" y="\d+" width="24" height="16" viewBox="0 0 24 16"><path fill="#123456" d="M0 0h24v16H0z"\/>/,
    );
    expect(drawn).toMatch(
      /<svg id="heart" x="\d+" y="\d+" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor"><path\/>/,
    );
    expect(drawn).toContain('<svg id="flag-austria"');

    const home = load((await request(app).get("/").set("Host", "de.localhost")).text);
    const hero = home("img[src*=hero]").attr("src");
    expect(hero).toMatch(/^\/assets\/hero-[0-9A-F]{8}\.png$/);
    expect((await get(String(hero))).body).toEqual(png);
  });

  it("has its own sites alone, if it has countries, with the images that they name", async () => {
    const folder = await writeShop({
      "countries/it.ts": `import type { Country } from "storefront-fragments/types";
        export default ${JSON.stringify(italy({ footer: footerWith("own", "own", "social.own"), locale: "de-DE" }))} satisfies Country;`,
      "locales/de/footer.json": { "social.own": "Unser Netz" },
      "logos/own.svg": drawing,
      "icons/own.svg": drawing,
    });
    const { countries, ...parts } = await loadOwnShop(folder, { SITE_ORIGIN_IT: "https://www.shop.example" });
    expect(countries.sites.map(({ site, origin }) => [site, origin])).toEqual([["IT", "https://www.shop.example"]]);
    const { app } = await createTestApp({ ...parts, countries, defaultSite: "IT" });
    const $ = load((await request(app).get("/fragments/footer/IT").expect(200)).text);
    expect($("[data-section=social] a").last().text()).toContain("Unser Netz");
    expect($("[data-section=social] a").last().attr("data-icon")).toBe(parts.drawings.icons.get("own"));
    const logo = $("[data-section=payment] img[alt=Own]").attr("src");
    expect(logo).toMatch(/^\/service\/footer-images\/logos\/own\.svg\?v=[0-9A-F]{8}$/);
    const { body, headers } = await request(app).get(String(logo)).expect(200);
    expect([body.toString(), headers["cache-control"]]).toEqual([drawing, "public, max-age=31536000, immutable"]);
  });

  it("changes the build's id with whatever is in it, and is otherwise equal on every replica", async () => {
    const files = { "locales/de/footer.json": { headline: "Hilfe" }, "logos/visa.svg": drawing };
    const idOf = async (changes: Parameters<typeof writeShop>[0] = {}) =>
      (await loadOwnShop(await writeShop({ ...files, ...changes }))).assets.build;
    const ids = await Promise.all([
      idOf(),
      idOf({ "locales/de/footer.json": { headline: "Rat und Tat" } }),
      idOf({ "logos/visa.svg": svg("<path/>") }),
      idOf({ "brand.json": {} }),
      idOf({ "flags/italy.svg": drawing }),
      loadOwnShop(await writeShop({})).then(({ assets }) => assets.build),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await idOf()).toBe(ids[0]);
    const { build } = JSON.parse(await readFile("dist/assets/manifest.json", "utf8"));
    expect(ids).not.toContain(build);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}$/);
  });
});
