import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OverviewSnippet, OverviewTextKey } from "../../../client/pages/overview/OverviewPage.tsx";
import { root } from "../../platform/paths.ts";
import type { pageNeeds } from "../../rendering/fragment-data.tsx";
import { type OverviewSelection, pathOf } from "./overview-selection.ts";

type Composer = "nginx" | "varnish" | "podium" | "tailor" | "client" | "data" | "worker" | "browser";

/**
 * Builds the code that includes the content of a fragment, for each composer.
 * @param place - the fragment's place in the page
 * @param service - the origin at which the reader reaches this service
 * @param needs - the page's requirements
 */
export function buildSnippets(
  selection: OverviewSelection,
  place: "head" | "body",
  service: string,
  { contentSecurityPolicy, routes }: ReturnType<typeof pageNeeds>,
): OverviewSnippet[] {
  const { offered, site, parameters } = selection;
  const { name } = offered.fragment;
  // Pages include the content, even if the reader has selected the fallback or an error.
  const path = pathOf({ ...selection, answer: "content" });
  const query = new URLSearchParams(parameters);
  const data = `/fragments/${name}/${site.site}.json${query.size ? `?${query}` : ""}`;
  const manifest = `/fragments/${name}/${site.site}/manifest.json`;
  return [
    snippet("nginx", recipe("config", "nginx.conf"), page(`<!--# include virtual="${path}" -->`)),
    snippet(
      "varnish",
      recipe("config", "varnish.vcl"),
      page(`<esi:include src="${attribute(path)}" onerror="continue"/>`),
    ),
    snippet(
      "podium",
      block("manifest", service + manifest),
      recipe("module", "podium-layout.mjs"),
      block(
        "code",
        `const fragment = { name: "${name}", uri: \`\${FRAGMENTS}${manifest}\` };`,
        `const query = ${JSON.stringify(parameters)};`,
        ...(place === "head" ? ["", 'response.podiumSend("<main>…</main>", String(content));'] : []),
      ),
    ),
    snippet(
      "tailor",
      recipe("server", "tailor.mjs"),
      page(
        place === "body"
          ? `<fragment src="${attribute(service + path)}"></fragment>`
          : // An HTML parser moves unknown elements from the head to the body.
            `<script type="fragment" src="${attribute(service + path)}"></script>`,
      ),
    ),
    snippet(
      "client",
      block(
        "code",
        "// npm install @storefront-fragments/client",
        'import { createFragments } from "@storefront-fragments/client";',
        "",
        `const fragments = createFragments({ service: ${JSON.stringify(service)} });`,
        "",
        "const visitor = { cookie: request.headers.cookie };",
        `const { head, html } = await fragments.get("${name}", "${site.site}", ${JSON.stringify(parameters).replaceAll(/"(true|false)"/g, "$1")}, visitor);`,
      ),
    ),
    snippet(
      "data",
      block("address", service + data),
      block("policy", ...Object.entries(contentSecurityPolicy).map((directive) => `${directive.flat().join(" ")};`)),
      block("routes", ...routes),
    ),
    snippet("worker", recipe("server", "cloudflare-worker.mjs"), page(`<esi:include src="${attribute(path)}"/>`)),
    snippet(
      "browser",
      block(
        "code",
        '<script type="module">',
        `  const address = ${JSON.stringify(site.origin + path)};`,
        "  const response = await fetch(address, { signal: AbortSignal.timeout(3000) });",
        "  // A contextual fragment runs its scripts, innerHTML doesn't.",
        `  if (response.ok) document.${place}.append(document.createRange().createContextualFragment(await response.text()));`,
        "</script>",
      ),
    ),
  ];

  function page(tag: string) {
    const [inHead, inBody] = place === "head" ? [[`  ${tag}`], []] : [[], [`  ${tag}`]];
    const head = ["<head>", "  <title>…</title>", ...inHead, "</head>"];
    return block("page", ...head, "<body>", "  <main>…</main>", ...inBody, "</body>");
  }

  /** Reads a recipe of deploy/edge, which documents and tests use as well, and inserts this service's origin. */
  function recipe(label: "config" | "module" | "server", file: string) {
    const { host, hostname, port, protocol } = new URL(service);
    const defaultPort = protocol === "https:" ? "443" : "80";
    const code = readFileSync(join(root, "deploy", "edge", file), "utf8")
      .replaceAll("http://fragments:3000", service)
      .replaceAll("/fragments/footer/DE/", `/fragments/footer/${site.site}/`)
      .replaceAll("fragments:3000", port ? host : `${host}:${defaultPort}`)
      .replaceAll('.host = "fragments"; .port = "3000"', `.host = "${hostname}"; .port = "${port || defaultPort}"`);
    return block(label, code);
  }
}

type Block = OverviewSnippet["blocks"][number];

function snippet(composer: Composer, ...blocks: Block[]): OverviewSnippet {
  return { name: `composer.${composer}`, hint: `composer.${composer}.hint`, blocks };
}

function block(
  label: "address" | "config" | "page" | "policy" | "manifest" | "module" | "code" | "routes" | "server",
  ...lines: string[]
): Block {
  return { label: `block.${label}` satisfies OverviewTextKey, code: lines.join("\n") };
}

function attribute(address: string): string {
  return address.replaceAll("&", "&amp;");
}
