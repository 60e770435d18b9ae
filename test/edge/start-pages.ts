import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

/** Returns the page around a fragment in every test. */
export const page = (include: string) =>
  `<!DOCTYPE html><html lang="de"><head><title>Host</title></head><body><main>Host</main>${include}<p>end</p></body></html>`;

/** The header by which every page of the tests preloads a file. */
export const ownPreload = "</host.css>; rel=preload; as=style";

/** The code that includes an address, by the kind of page. */
export const includes = {
  none: () => "",
  ssi: (address: string) => `<!--# include virtual="${address}" -->`,
  stub: (address: string) =>
    `<!--# block name="none" --><p>instead</p><!--# endblock --><!--# include virtual="${address}" stub="none" -->`,
  esi: (address: string) => `<esi:include src="${address.replaceAll("&", "&amp;")}" onerror="continue"/>`,
};

export type PageKind = keyof typeof includes;

/** Returns the path of a page that includes an address. */
export const pageOf = (kind: PageKind, address: string) => `/${kind}?${new URLSearchParams({ address })}`;

/**
 * Starts the shop's own pages. Each includes what its query names, is compressed if the client accepts that, and has a
 * validator, as shops' pages do. Everything else of the shop is a plain text.
 */
export async function startPages() {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://pages");
    const include = Object.entries(includes).find(([kind]) => pathname === `/${kind}`)?.[1];
    if (!include) {
      response.setHeader("Content-Type", "text/plain").end(`the shop's ${pathname}`);
      return;
    }
    const html = page(include(searchParams.get("address") ?? ""));
    const isCompressed = request.headers["accept-encoding"]?.includes("gzip");
    response.writeHead(200, {
      "Content-Type": "text/html; charset=utf-8",
      ETag: '"host"',
      "Cache-Control": "no-cache",
      Link: ownPreload,
      Vary: "Accept-Encoding",
      ...(isCompressed && { "Content-Encoding": "gzip" }),
    });
    response.end(isCompressed ? gzipSync(html) : html);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    /** How many pages have been asked for so far. */
    asked: () => asked,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
