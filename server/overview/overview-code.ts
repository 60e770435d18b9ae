import { serviceFolders } from "../http/service-paths.ts";

/** What a page is to include. */
export interface IncludeTarget {
  fragment: string;
  /** Path of the fragment's manifest. */
  manifest: string;
  path: string;
  /** Parameters that differ from their defaults. */
  parameters: Record<string, string>;
  place: "head" | "body";
  /** The two paths for pages that load the files in their own head; missing where a fragment has no choice. */
  split?: { head: string; body: string };
  /** Origin at which other servers reach this service. */
  service: string;
  /** Origin at which browsers reach the site. */
  site: string;
}

/** What fragments load and call in the browser: the paths below /service/ that aren't named are pages of the shop. */
const loaded = `assets|service/(${serviceFolders.join("|")})`;

/**
 * Writes the configuration of nginx.
 * @param service - the origin of this service
 */
export const nginxConfig = (service: string) => `# In the server block of your pages:
location / {
    ssi on;
    ssi_silent_errors on;
    proxy_pass http://pages;  # yours
}

location /fragments/ {
    proxy_pass ${service};
    # A subrequest carries the page's headers; with these the fragment would come compressed or empty.
    proxy_set_header Accept-Encoding "";
    proxy_set_header If-None-Match "";
    proxy_set_header If-Modified-Since "";
    proxy_connect_timeout 1s;
    proxy_read_timeout 2s;
    # nginx would put an error page into your page.
    proxy_intercept_errors on;
    error_page 400 404 500 502 503 504 =200 @without_fragment;
}

location @without_fragment {
    return 204;
}

# What fragments load and call in the browser
location ~ ^/(${loaded})/ {
    proxy_pass ${service};
    proxy_set_header Host $http_host;
}`;

/**
 * Writes the configuration of Varnish.
 * @param service - the address of this service
 */
export const varnishConfig = ({ hostname, port }: URL) => `# Below the backend of your pages, which stays the default:
backend storefront_fragments {
    .host = "${hostname}";
    .port = "${port || "80"}";
    .connect_timeout = 1s;
    .first_byte_timeout = 2s;
    .between_bytes_timeout = 2s;
}

sub vcl_recv {
    if (req.url ~ "^/(fragments|${loaded})/") {
        set req.backend_hint = storefront_fragments;
    }
    if (req.url ~ "^/fragments/") {
        # With cookies, Varnish would keep nothing.
        unset req.http.Cookie;
    }
}

sub vcl_backend_response {
    if (bereq.backend != storefront_fragments && beresp.http.Content-Type ~ "^text/html") {
        set beresp.do_esi = true;
        # They tell nothing of the fragments: a browser would keep a page with an old one.
        unset beresp.http.ETag;
        unset beresp.http.Last-Modified;
    }
}

sub vcl_backend_error {
    if (bereq.url ~ "^/fragments/") {
        # Varnish would put its error page into your page.
        set beresp.status = 200;
        set beresp.ttl = 5s;
        synthetic("");
        return (deliver);
    }
}`;

/**
 * Writes a layout for Podium.
 * @param split - whether the layout loads the files that the manifest names, and the fragment comes without their tags
 */
export function podiumCode({ fragment, manifest, parameters, place, service }: IncludeTarget, split: boolean): string {
  const query = { ...parameters, ...(split && { assets: "none" }) };
  const entries = Object.entries(query).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const options = entries.length > 0 ? `, { query: { ${entries.join(", ")} } }` : "";
  const podlets = "\n  // Their files go into the head of Podium's document.\n  incoming.podlets = [content];";
  const [body, head] = place === "head" ? ["", ", content.content"] : [`\${content}`, ""];
  return `import Layout from "@podium/layout";
import express from "express";

const layout = new Layout({ name: "shop", pathname: "/" });
const podlet = layout.client.register({
  name: ${JSON.stringify(fragment)},
  uri: ${JSON.stringify(service + manifest)},
});

const app = express();
app.use(layout.middleware());
app.get("/", async (request, response) => {
  const incoming = response.locals.podium;
  const content = await podlet.fetch(incoming${options});${split ? podlets : ""}
  response.podiumSend(\`<main>…</main>${body}\`${head});
});
app.listen(8080);`;
}

/** A server for Tailor. */
export const tailorCode = `import { createServer } from "node:http";
import Tailor from "node-tailor";

const tailor = new Tailor({ templatesPath: "./templates" });
createServer(tailor.requestHandler).listen(8080);`;

/**
 * Writes the code of a Node server that fetches the fragment itself.
 * @param head - the address of what belongs into the head; undefined when nothing does
 * @param body - the address of what belongs into the body; empty when nothing does
 */
export function nodeCode(head: string | undefined, body: string): string {
  const parts = [...(head ? [["head", head]] : []), ...(body ? [["body", body]] : [])];
  const fetched = parts.map(([name, address]) => `const ${name} = fetchFragment(${JSON.stringify(address)});`);
  return `${fetched.join("\n")}

const page = \`<!doctype html>
<html lang="…">
  <head><title>…</title>${head ? `\${await head}` : ""}</head>
  <body><main>…</main>${body ? `\${await body}` : ""}</body>
</html>\`;

async function fetchFragment(address) {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(1000) });
    return response.ok ? await response.text() : "";
  } catch {
    return ""; // Better a page without it than a page that waits.
  }
}`;
}

/**
 * Writes the script of a page that fetches the fragment in the browser.
 * @param head - the address of what belongs into the head; undefined when nothing does
 * @param body - the address of what belongs into the body; empty when nothing does
 */
export function browserCode(head: string | undefined, body: string): string {
  return `<script type="module">
${head ? `  await include(${JSON.stringify(head)}, document.head);\n` : ""}${body ? `  await include(${JSON.stringify(body)}, document.body);\n` : ""}
  async function include(address, place) {
    const response = await fetch(address, { signal: AbortSignal.timeout(3000) });
    if (!response.ok) return;
    // The scripts of a fragment that is parsed like this run; those of innerHTML would not.
    place.append(document.createRange().createContextualFragment(await response.text()));
  }
</script>`;
}
