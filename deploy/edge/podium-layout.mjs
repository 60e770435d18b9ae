/** A Podium layout. It caches the manifest and the fallback of a fragment, and fetches its content for each page. */
import Layout from "@podium/layout";
import express from "express";

// Set these: addresses, port, fragment, its parameters. For cached fragments, FRAGMENTS is a Varnish or nginx in front of
// the service.
const { FRAGMENTS = "http://fragments:3000", PORT = "8080" } = process.env;
const fragment = { name: "footer", uri: `${FRAGMENTS}/fragments/footer/DE/manifest.json` };
const query = {};

/** How long Podium waits for the first byte before it uses the fallback, in milliseconds. */
const longestWait = 1000;
/** How long a page waits for the last byte, in milliseconds. Podium has no limit for that. */
const longestWhole = 1500;
/**
 * How many times Podium asks again before it shows the fallback, while two releases with different fallbacks answer.
 */
const retries = 10;

const layout = new Layout({ name: "shop", pathname: "/" });
const podlet = layout.client.register({ ...fragment, timeout: longestWait, retries });

const app = express();
app.use(layout.middleware());
app.get("/", async (request, response) => {
  const incoming = response.locals.podium;
  const content = await fetchInTime(podlet, incoming, { query, headers: previewHeaders(request) });
  response.podiumSend(`<main>…</main>${content}`);
});
app.listen(Number(PORT));

/** Returns the fragment or its fallback, or nothing if neither arrives in time. */
async function fetchInTime(podlet, incoming, options) {
  const tooLate = new Promise((resolve) => setTimeout(resolve, longestWhole, "").unref());
  return Promise.race([podlet.fetch(incoming, options).catch(() => ""), tooLate]);
}

/** Forwards the cookies of staff who preview the shop, and no others. */
function previewHeaders({ headers: { cookie = "" } }) {
  return /(^|; *)PreviewContext=/.test(cookie) ? { cookie } : {};
}
