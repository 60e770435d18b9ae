/**
 * Tailor, in its fork TailorX: the original adds an inline script and a script of a CDN to every page.
 *
 * A page in the folder `templates` includes a fragment by
 *   <fragment src="http://fragments:3000/fragments/footer/DE"></fragment>
 * and fallback-src="…" names the replacement of an unavailable one.
 */
import { createServer } from "node:http";
import { Readable } from "node:stream";
import Tailor from "@namecheap/tailorx";
import { createFragments } from "@storefront-fragments/client";
import { storefrontRoutes } from "@storefront-fragments/client/express";

// Set these: port, pages and the service.
const { PORT = "8080", TEMPLATES = "./templates", FRAGMENTS = "http://fragments:3000" } = process.env;

const fragments = createFragments({ service: FRAGMENTS });
const files = storefrontRoutes(fragments);
const tailor = new Tailor({
  templatesPath: TEMPLATES,
  /** If an answer broke off, Tailor itself would insert the part that has arrived. */
  requestFragment: async (address, _attributes, { headers }) => {
    const { pathname, searchParams } = new URL(address);
    const [, , name, site = searchParams.get("site")] = pathname.split("/");
    const visitor = { cookie: headers.cookie };
    const { head, html } = await fragments.get(name, site, Object.fromEntries(searchParams), visitor);
    if (head + html === "") throw new Error(`no fragment at ${address}`);
    return Object.assign(Readable.from([head + html]), { statusCode: 200, headers: {} });
  },
});
tailor.on("error", (_request, { message }) => process.emitWarning(message));

createServer((request, response) => {
  // The files of the fragments. Your server in front forwards the other paths of the service.
  files(request, response, () => tailor.requestHandler(request, response));
}).listen(Number(PORT));
