import { readdirSync } from "node:fs";
import { basename } from "node:path";
import type { Logger } from "./logger.ts";

export interface Logos {
  /** Folder of the logo files, `<source>.svg` each. */
  folder: string;
  /** Path of a logo; undefined, and logged once, when there is no such logo. */
  url(source: string): string | undefined;
}

/** Finds the logos of payment means, carriers and seals. */
export function loadLogos(folder: string, logger: Logger): Logos {
  const sources = new Set(readdirSync(folder).map((file) => basename(file, ".svg")));
  const logged = new Set<string>();
  return {
    folder,
    url(source) {
      if (sources.has(source)) return `/service/footer-images/logos/${source}.svg`;
      if (!logged.has(source)) logger.error({ source }, "unknown logo source");
      logged.add(source);
      return undefined;
    },
  };
}
