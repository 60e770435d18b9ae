import { gzipSync } from "node:zlib";
import { second } from "../../client/rules/time.ts";
import { findSites } from "../../server/config/country-files.ts";
import { countBytes } from "./measure-build.ts";
import type { Measure } from "./report.ts";
import { service, startServer } from "./start-server.ts";
import { summarize } from "./summarize.ts";

const path = "/fragments/footer";

/** Counts the bytes of the footer and of the files that it names, compressed with gzip. */
export const sentBytes: Measure = {
  name: "bytes",
  duration: 5 * second,
  async run() {
    const server = await startServer(service, `${path}/DE`);
    const read = async (site: string) => (await fetch(`${server.origin}${path}/${site}`)).text();
    const footers = await Promise.all(findSites("countries").map(async (site) => ({ site, html: await read(site) })));
    const { footerBytes, styleBytes, scriptBytes } = await countBytes(server);
    const figure = (value: number) => summarize([value]);
    return {
      figures: {
        footerCompressed: figure(footerBytes),
        footerRaw: figure(Buffer.byteLength(await read("DE"))),
        stylesheet: figure(styleBytes),
        script: figure(scriptBytes),
      },
      table: [
        ["footer of", "bytes", "compressed"],
        ...footers.map(({ site, html }) => [site, String(Buffer.byteLength(html)), String(gzipSync(html).length)]),
      ],
    };
  },
};
