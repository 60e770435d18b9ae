import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OverviewSnippet, OverviewTextKey } from "../../../client/pages/overview/OverviewPage.tsx";
import { root } from "../../platform/paths.ts";
import type { pageNeeds } from "../../rendering/fragment-data.tsx";
import { type OverviewSelection, pathOf } from "./overview-selection.ts";

type Composer = "nginx" | "varnish" | "podium" | "tailor" | "client" | "data" | "worker" | "browser";

/**
 * Builds the code that includes the content of a fragment, for each composer: first what a page needs, then the rest.
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
    snippet("nginx", page(`<!--# include virtual="${path}" -->`), recipe("config", "nginx.conf")),
    snippet(
      "varnish",
      page(`<esi:include src="${attribute(path)}" onerror="continue"/>`),
      recipe("config", "varnish.vcl"),
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
      page(
        place === "body"
          ? `<fragment src="${attribute(service + path)}"></fragment>`
          : // An HTML parser moves unknown elements from the head to the body.
            `<script type="fragment" src="${attribute(service + path)}"></script>`,
      ),
      recipe("server", "tailor.mjs"),
    ),
    snippet(
      "client",
      block(
        "code",
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
      block("php", `$${name} = json_decode(file_get_contents("${service + data}"), true);`),
      block("address", service + data),
      block("policy", ...Object.entries(contentSecurityPolicy).map((directive) => `${directive.flat().join(" ")};`)),
      block("routes", ...routes),
    ),
    snippet("worker", page(`<esi:include src="${attribute(path)}"/>`), recipe("server", "cloudflare-worker.mjs")),
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
    return block(place, tag);
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
  label:
    | "address"
    | "body"
    | "config"
    | "head"
    | "php"
    | "policy"
    | "manifest"
    | "module"
    | "code"
    | "routes"
    | "server",
  ...lines: string[]
): Block {
  return { label: `block.${label}` satisfies OverviewTextKey, code: lines.join("\n") };
}

function attribute(address: string): string {
  return address.replaceAll("&", "&amp;");
}
