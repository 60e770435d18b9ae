import { gzipSync } from "node:zlib";
import { second } from "../../client/rules/time.ts";
import { findSites } from "../../server/config/country-files.ts";
import type { Measure } from "./report.ts";
import { service, startServer } from "./start-server.ts";
import { summarize } from "./summarize.ts";

const path = "/fragments/footer";

/** Counts the bytes of the footer and of the files that it names, compressed with gzip. */
export const sentBytes: Measure = {
  name: "bytes",
  duration: 5 * second,
  async run() {
    const { origin } = await startServer(service, `${path}/DE`);
    const read = async (address: string) => (await fetch(new URL(address, origin))).text();
    const footers = await Promise.all(
      findSites("countries").map(async (site) => ({ site, html: await read(`${path}/${site}`) })),
    );
    const german = footers.find(({ site }) => site === "DE")?.html ?? "";
    const sizeOf = async (tag: RegExp) => {
      const files = [...german.matchAll(tag)].flatMap(([, address]) => address ?? []);
      const sizes = files.map(async (address) => gzipSync(await read(address)).length);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    };
    const figure = (value: number) => summarize([value]);
    return {
      figures: {
        footerCompressed: figure(gzipSync(german).length),
        footerRaw: figure(Buffer.byteLength(german)),
        stylesheet: figure(await sizeOf(/<link [^>]*href="([^"]+\.css)"/g)),
        script: figure(await sizeOf(/<script [^>]*src="([^"]+\.js)"/g)),
      },
      table: [
        ["footer of", "bytes", "compressed"],
        ...footers.map(({ site, html }) => [site, String(Buffer.byteLength(html)), String(gzipSync(html).length)]),
      ],
    };
  },
};
