/** A layout of Podium. It keeps the manifest and the fallback of a fragment, and asks for its content each time. */
import Layout from "@podium/layout";
import express from "express";

// What is yours: addresses and port. For kept fragments, name a Varnish or an nginx in front of the service.
const { FRAGMENTS = "http://fragments:3000", PORT = "8080" } = process.env;

/** How long Podium waits for the first byte, and then gives the fallback. */
const longestWait = 1000;
/** How long a page waits for the last byte, for which Podium has no limit. */
const longestWhole = 1500;

const layout = new Layout({ name: "shop", pathname: "/" });
const podlet = layout.client.register({
  name: "footer",
  uri: `${FRAGMENTS}/fragments/footer/DE/manifest.json`,
  timeout: longestWait,
});

const app = express();
app.use(layout.middleware());
app.get("/", async (request, response) => {
  const incoming = response.locals.podium;
  const content = await fetchInTime(podlet, incoming, { query: {}, headers: previewHeaders(request) });
  response.podiumSend(`<main>…</main>${content}`);
});
app.listen(Number(PORT));

/** Gives the fragment or its fallback, or nothing where neither comes in time. */
async function fetchInTime(podlet, incoming, options) {
  const tooLate = new Promise((resolve) => setTimeout(resolve, longestWhole, "").unref());
  return Promise.race([podlet.fetch(incoming, options).catch(() => ""), tooLate]);
}

/** Passes the cookies of staff who preview on, and nobody else's. */
function previewHeaders({ headers: { cookie = "" } }) {
  return /(^|; *)PreviewContext=/.test(cookie) ? { cookie } : {};
}
