import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { second } from "../../client/rules/time.ts";
import type { Measure } from "./measure.ts";
import { service, startServer } from "./start-server.ts";
import { summarize } from "./summarize.ts";

const path = "/fragments/footer/DE";
const kilobyte = 1000;

interface Bundle {
  name: string;
  files: Record<string, { gzip: number }>;
}

/** Measures what the footer weighs: its HTML, its stylesheet, and the script of every page. */
export const footerBytes: Measure = {
  name: "bytes",
  duration: 5 * second,
  async run() {
    const server = await startServer(service, path);
    const html = Buffer.from(await (await fetch(`${server.origin}${path}`)).arrayBuffer());
    const bundles: Bundle[] = JSON.parse(await readFile("dist/bundles.json", "utf8"));
    const gzipOf = (name: string) => {
      const files = bundles.find((bundle) => bundle.name === name)?.files;
      if (!files) throw new Error(`${name} isn't built`);
      return Object.values(files).reduce((sum, { gzip }) => sum + gzip, 0);
    };
    const kilobytes = (bytes: number) => summarize([bytes / kilobyte]);
    return {
      figures: {
        htmlRaw: kilobytes(html.length),
        htmlGzip: kilobytes(gzipSync(html).length),
        cssGzip: kilobytes(gzipOf("footer.css")),
        bootGzip: kilobytes(gzipOf("boot.js")),
      },
    };
  },
};
