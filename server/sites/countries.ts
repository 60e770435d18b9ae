import { join } from "node:path";
import type { Moment } from "../../client/rules/time.ts";
import type { Country } from "../../schemas/types.ts";
import type { Brand } from "../brand/brand.ts";
import type { Drawings } from "../brand/load-images.ts";
import { findCountryFiles, siteOf } from "../config/country-files.ts";
import type { Texts } from "../platform/texts.ts";
import { checkCountry, type NameableTexts, textOf } from "./check-country.ts";
import { findClashes, hostsOf, type Origins } from "./country-clashes.ts";
import { versionStarts } from "./footer-versions.ts";
import { consentTexts } from "./legal-texts.ts";
import { loadPlugin, type Plugin } from "./load-country.ts";
import { findUnknownImages, type NamedField, namedPageTexts, namedTexts } from "./named-fields.ts";
import { findTopicFaults, needsTopicsSentence, readTopics } from "./topics.ts";

/** A country with the configuration of this service applied. */
export interface Site extends Country {
  /** The path of its file in the shop, such as `countries/de.ts`. */
  file: string;
  /** The host names of this site. */
  hosts: string[];
  /** The start of each version of its footer. */
  footerStarts: Moment[];
  /**
   * Whether the topics of its newsletter need a sentence of their own, because the text of the consent doesn't name
   * them.
   */
  statesTopics: boolean;
  /** The keys of the texts that its newsletter's consent needs but its locale lacks. */
  missingConsentTexts: string[];
  /** The fields that name a flag, icon or logo that doesn't exist. The footer omits these images. */
  unknownImages: NamedField[];
}

/**
 * A country whose file may have faults, with the configuration applied: enough to look for further faults and for gaps.
 * Unknown fields are empty.
 */
export interface UncheckedSite
  extends Pick<
    Site,
    "file" | "site" | "locale" | "footerLocale" | "origin" | "gaps" | "unknownImages" | "navigation" | "account"
  > {
  imprint: Partial<Country["imprint"]>;
  newsletter: Pick<Country["newsletter"], "sender" | "topics" | "voucher">;
  footer?: Country["footer"] | undefined;
}

export type CountryRegistry = Awaited<ReturnType<typeof readCountries>>["countries"];

interface ReadOptions {
  folder: string;
  drawings: Drawings;
  texts: Texts;
  /** The companies that replace those in the country files. */
  brand?: Pick<Brand, "legalNames" | "topics" | "imprints">;
  origins?: Origins | undefined;
  /** Set in the demo, which serves the sites at http://<local host>:<port>, except those in `origins`. */
  localPort?: number | undefined;
}

/** Reads and checks the country files of a folder. */
export async function readCountries(options: ReadOptions) {
  const { folder, drawings, texts, brand, origins, localPort } = options;
  const files = findCountryFiles(folder);
  const plugins = await Promise.all(files.map((file) => loadPlugin(join(folder, file), texts)));
  const faults = [...plugins.flatMap((plugin) => plugin.faults), ...findClashes(plugins, origins)];
  if (files.length === 0) faults.push("countries: no country file found");

  const read = plugins.map((plugin) => {
    const known = readUnchecked(plugin);
    return { known, site: plugin.country && configure(plugin.country, known) };
  });
  const sites: readonly Site[] = read.flatMap(({ site }) => site ?? []);
  const byCode = new Map(sites.map((site) => [site.site, site]));
  const byHost = new Map(sites.flatMap((site) => site.hosts.map((host) => [host, site])));
  return {
    /** The valid countries. */
    countries: {
      sites,
      /** Returns the site with a code, as in `?site=`, for example CH_FR. */
      get: (code: string) => byCode.get(code),
      /** Returns the site with a host name, given without a port. */
      forHost: (host = "") => byHost.get(host.toLowerCase()),
      withFooter,
    },
    /** All countries, valid or not. */
    uncheckedSites: read.map(({ known }) => known),
    /** The keys of the texts that countries name, by namespace; undefined if a file can't be loaded. */
    named: plugins.every(({ isLoaded }) => isLoaded)
      ? {
          footer: new Set(plugins.flatMap(({ data }) => namedTexts(data))),
          page: new Set(plugins.flatMap(({ data }) => namedPageTexts(data)).map(({ name }) => name)),
        }
      : undefined,
    /** The faults of all files, each as `countries/<file> /field message`. */
    faults: [...faults, ...read.flatMap(({ known }) => findTopicFaults(known, texts))],
  };

  function readUnchecked({ file, data }: Plugin): UncheckedSite {
    const site = textOf(data.site) || siteOf(file);
    const local = localPort === undefined ? undefined : `http://${data.localHost}:${localPort}`;
    return {
      file,
      site,
      locale: textOf(data.locale),
      footerLocale: textOf(data.footerLocale),
      origin: origins?.get(site) ?? local ?? textOf(data.origin),
      gaps: Array.isArray(data.gaps) ? data.gaps : [],
      imprint: fillBlanks({ ...data.imprint, ...brand?.imprints[site] }),
      newsletter: fillBlanks({
        sender: brand?.legalNames[site] ?? textOf(data.newsletter?.sender),
        ...readTopics(brand?.topics[site] ?? data.newsletter?.topics),
        ...(data.newsletter?.voucher && { voucher: data.newsletter.voucher }),
      }),
      footer: data.footer,
      ...(data.navigation && { navigation: data.navigation }),
      ...(data.account && { account: data.account }),
      unknownImages: findUnknownImages(data, drawings),
    };
  }

  /** In the demo, the examples in the blanks `‹…›` make up a company. */
  function fillBlanks<Values extends object>(values: Values): Values {
    return localPort === undefined ? values : JSON.parse(JSON.stringify(values).replaceAll(/[\u2039\u203a]/g, ""));
  }

  /**
   * Checks a footer that replaces the country's own, by the same rules.
   * @returns the site with this footer, unless the schema refuses it; each fault as `/field message`
   */
  function withFooter({ site: code }: Site, footer: unknown, nameable: NameableTexts) {
    const plugin = plugins.find(({ country }) => country?.site === code);
    if (!plugin) throw new Error(`there is no country ${code}`);
    const data = { ...plugin.country, footer };
    const { country, faults } = checkCountry(data, nameable);
    return { faults, site: country && configure(country, readUnchecked({ ...plugin, data: country })) };
  }

  function configure(country: Country, known: UncheckedSite): Site {
    const newsletter = { ...country.newsletter, ...known.newsletter };
    const statesTopics = needsTopicsSentence(newsletter, texts.find(country.locale, "newsletter", "legal.consent"));
    return {
      ...known,
      ...country,
      origin: known.origin,
      imprint: { ...country.imprint, ...known.imprint },
      newsletter,
      hosts: hostsOf(country, origins),
      footerStarts: versionStarts(country.footer),
      statesTopics,
      missingConsentTexts: consentTexts({ newsletter, statesTopics }).filter(
        (key) => texts.find(country.locale, "newsletter", key) === undefined,
      ),
    };
  }
}
