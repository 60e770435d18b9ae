import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";

/** What of the checkout its copy doesn't need, or only a link to. */
const left = [".git", "data", "node_modules"];

const slovenia = { country: join("countries", "si.ts"), texts: join("locales", "sl-SI") };

/** Copies the checkout to a folder, without Slovenia where somebody has added it already. */
export async function copyWithoutSlovenia(folder: string): Promise<void> {
  const parts = (await readdir(".")).filter((part) => !left.includes(part));
  // The benchmark has packages of its own.
  const filter = (path: string) => basename(path) !== "node_modules";
  for (const part of parts) await cp(part, join(folder, part), { recursive: true, filter });
  for (const part of Object.values(slovenia)) await rm(join(folder, part), { recursive: true, force: true });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
}

/**
 * Adds Slovenia to the countries and locales of a folder, as the documents tell to: one country file, and one folder of
 * texts with a file per namespace. Every rule that a country may choose differs from those of its neighbours.
 */
export async function addSlovenia(folder: string): Promise<void> {
  await writeFile(join(folder, slovenia.country), await writeCountry());
  await mkdir(join(folder, slovenia.texts));
  for (const file of await readdir("locales/de")) {
    const german: Record<string, string> = JSON.parse(await readFile(join("locales/de", file), "utf8"));
    const slovenian = Object.entries(german).flatMap(([key, text]) =>
      formsOf(key).map((form) => [form, slovenianFor(file, key, text)]),
    );
    const source = JSON.stringify(Object.fromEntries(slovenian), null, 2);
    await writeFile(join(folder, slovenia.texts, file), `${source}\n`);
  }
}

/** Hungary's file with what a new country changes in it. */
async function writeCountry(): Promise<string> {
  const hungary = await readFile("countries/hu.ts", "utf8");
  const newsletter = `salutation: "required",
    names: "optional",
    legals: true,
    personalisedOffers: "expandable",
    lockPrefilled: false,
    minimumAge: 18,
    confirmWithinDays: 3,
    deleteUnconfirmedAfterDays: 10,
    stopUnopenedAfterYears: 1,
    voucher: { discount: 15, validMonths: 3 },`;
  const links = `exampleNewsletter: "/service/newsletter/example",
      newsletterInfo: "/service/newsletter",
      commercialMessageConsent: "/service/newsletter/commercial-messages",
      personalMarketingConsent: "/service/newsletter/personal-marketing",`;
  return hungary
    .replaceAll("hu-HU", "sl-SI")
    .replaceAll("HU", "SI")
    .replaceAll(/\bhu\b/g, "si")
    .replaceAll("hungary", "slovenia")
    .replace("Europe/Budapest", "Europe/Ljubljana")
    .replace("1051 Budapest, Minta utca 1., Magyarország", "Vzorčna ulica 1, 1000 Ljubljana, Slovenija")
    .replace("returnPeriod: 30", "returnPeriod: 45")
    .replace('"1000000006"', '"1000000010"')
    .replace('exampleNewsletter: "/service/newsletter/example",', links)
    .replace(/salutation: "required",.*?voucher: \{.*?\},/s, newsletter);
}

/** The keys of a text in Slovenian, which has two plural forms more than German. */
function formsOf(key: string): string[] {
  const [base = key, form] = key.split("_");
  return form === "other" ? [`${base}_two`, `${base}_few`, key] : [key];
}

/** Words that the tests look for; the others are marked German ones. */
const words: Record<string, string> = {
  "footer.json headline": "Storitve in informacije",
  "footer.json switcher.heading": "Izberite državo",
  "page.json title": "Kava, moda in ideje za dom",
};

function slovenianFor(file: string, key: string, german: string): string {
  return words[`${file} ${key}`] ?? `sl: ${german}`;
}
