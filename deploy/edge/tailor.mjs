/**
 * Tailor, in its fork TailorX: the original adds an inline script and a script of a CDN to every page.
 *
 * A page in the folder `templates` includes a fragment by
 *   <fragment src="http://fragments:3000/fragments/footer/DE"></fragment>
 * and by fallback-src="…" says what stands in where there is none.
 */
import { createServer } from "node:http";
import { Readable } from "node:stream";
import Tailor from "@namecheap/tailorx";
import { fetchFragment } from "./fetch-fragment.mjs";

// What is yours: port and pages.
const { PORT = "8080", TEMPLATES = "./templates" } = process.env;

const tailor = new Tailor({
  templatesPath: TEMPLATES,
  /** Tailor itself would put into the page what has come before a fault. */
  requestFragment: async (address, _attributes, { headers }) => {
    const body = await fetchFragment(address, headers.cookie);
    if (body === "") throw new Error(`no fragment at ${address}`);
    return Object.assign(Readable.from([body]), { statusCode: 200, headers: {} });
  },
});
tailor.on("error", (_request, { message }) => process.emitWarning(message));

createServer(tailor.requestHandler).listen(Number(PORT));
