import { globSync } from "node:fs";
import { basename } from "node:path";
import type { Logger } from "../logger.ts";

export interface Logos {
  /** Folders of the logo files, `<source>.svg` each: the first that has a file has the last word. */
  folders: readonly string[];
  sources: ReadonlySet<string>;
  /** Gives the path of a logo. When there is no such logo, that is logged once and undefined returned. */
  url(source: string): string | undefined;
}

/** Lists the logos of payment means, carriers and seals that folders hold. */
export function loadLogos(folders: readonly string[], logger: Logger): Logos {
  const files = folders.flatMap((folder) => globSync("*.svg", { cwd: folder }));
  const sources = new Set(files.map((file) => basename(file, ".svg")));
  const logged = new Set<string>();
  return {
    folders,
    sources,
    url(source) {
      if (sources.has(source)) return `/service/footer-images/logos/${source}.svg`;
      if (!logged.has(source)) logger.error({ source }, "the country names an unknown logo");
      logged.add(source);
      return undefined;
    },
  };
}
