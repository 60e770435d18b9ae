import { readdirSync } from "node:fs";
import { basename } from "node:path";
import type { Logger } from "./logger.ts";

export interface Logos {
  /** Folder of the logo files, `<source>.svg` each. */
  folder: string;
  /** Gives the path of a logo. When there is no such logo, that is logged once and undefined returned. */
  url(source: string): string | undefined;
}

/** Lists the logos of payment means, carriers and seals that a folder holds. */
export function loadLogos(folder: string, logger: Logger): Logos {
  const sources = new Set(readdirSync(folder).map((file) => basename(file, ".svg")));
  const logged = new Set<string>();
  return {
    folder,
    url(source) {
      if (sources.has(source)) return `/service/footer-images/logos/${source}.svg`;
      if (!logged.has(source)) logger.error({ source }, "the country names an unknown logo");
      logged.add(source);
      return undefined;
    },
  };
}
