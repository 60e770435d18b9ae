import { exec } from "node:child_process";
import { cp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Country } from "../../schemas/types.ts";
import { documentAt } from "../docs/read-documents.ts";

/** Files of the checkout that its copy doesn't need, or needs only as a link. */
const left = [".git", "data", "node_modules"];

const slovenia = { country: join("countries", "si.ts"), texts: join("locales", "sl-SI") };

/** Copies the checkout to a folder, without Slovenia where somebody has added it already. */
export async function copyWithoutSlovenia(folder: string): Promise<void> {
  const parts = (await readdir(".")).filter((part) => !left.includes(part));
  // The benchmark has packages of its own.
  const filter = (path: string) => basename(path) !== "node_modules";
  for (const part of parts) await cp(part, join(folder, part), { recursive: true, filter });
  for (const part of Object.values(slovenia)) await rm(join(folder, part), { recursive: true, force: true });
  for (const packages of ["node_modules", "test/node_modules"])
    await symlink(resolve(packages), join(folder, packages));
}

/** Adds Slovenia to the copy of the checkout: by the command of docs/countries.md, and then by filling the gaps. */
export async function addSlovenia(folder: string): Promise<void> {
  const command = documentAt("docs/countries.md").text.match(/npm run country -- .+/)?.[0] ?? "";
  await promisify(exec)(command, { cwd: folder });
  const file = join(folder, slovenia.country);
  // At another URL, because the file is imported again when it is complete.
  const { default: written }: { default: Country } = await import(`${pathToFileURL(file)}?written`);
  const country = `import type { Country } from "../schemas/types.ts";\n\nexport default ${JSON.stringify(complete(written))} satisfies Country;\n`;
  await writeFile(file, country);
  const texts = join(folder, slovenia.texts);
  for (const name of await readdir(texts)) {
    const german: Record<string, string> = JSON.parse(await readFile(join("locales/de", name), "utf8"));
    const marked = JSON.parse(await readFile(join(texts, name), "utf8"));
    const translated = Object.keys(marked).map((key) => [key, slovenianFor(name, key, german)]);
    await writeFile(join(texts, name), `${JSON.stringify(Object.fromEntries(translated), null, 2)}\n`);
  }
}

/** Returns Slovenia without gaps. Every rule that a country may choose differs from those of its neighbours. */
function complete({ gaps: _, ...country }: Country): Country {
  const { newsletter } = country;
  return {
    ...country,
    imprint: {
      ...country.imprint,
      address: "Vzorčna ulica 1, 1000 Ljubljana, Slovenija",
      register: "Okrožno sodišče v Ljubljani, matična številka 1000000000",
    },
    facts: { returnPeriod: 45 },
    apps: { android: "example.storefront.si", ios: "1000000010" },
    newsletter: {
      sender: "Storefront d.o.o.",
      links: {
        ...newsletter.links,
        newsletterInfo: "/service/newsletter",
        commercialMessageConsent: "/service/newsletter/commercial-messages",
        personalMarketingConsent: "/service/newsletter/personal-marketing",
      },
      salutation: "required",
      names: "optional",
      legals: true,
      personalisedOffers: "expandable",
      lockPrefilled: false,
      minimumAge: 18,
      confirmWithinDays: 3,
      deleteUnconfirmedAfterDays: 10,
      stopUnopenedAfterYears: 1,
      voucher: { discount: 15, validMonths: 3 },
    },
  };
}

/** Words that the tests look for. The others are marked German ones. */
const words: Record<string, string> = {
  "footer.json headline": "Storitve in informacije",
  "footer.json switcher.heading": "Izberite državo",
  "page.json title": "Kava, moda in ideje za dom",
};

/** Slovenian has plural forms that German lacks. */
function slovenianFor(file: string, key: string, german: Record<string, string>): string {
  const [base] = key.split("_");
  return words[`${file} ${key}`] ?? `Sl: ${german[key] ?? german[`${base}_other`]}`;
}
