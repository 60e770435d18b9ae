import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OverviewSnippet } from "../../../client/pages/overview/overview-props.ts";
import { root } from "../../platform/paths.ts";

/** What a page includes, and from where. */
export interface IncludeTarget {
  fragment: string;
  /** Path of the fragment's manifest. */
  manifest: string;
  path: string;
  /** The parameters that differ from their defaults. */
  parameters: Record<string, string>;
  place: "head" | "body";
  /** The two paths for pages that load the files in their own head; undefined if the fragment can't be split. */
  split: { head: string; body: string } | undefined;
  /** The service's origin for other servers. */
  service: string;
  /** The site's origin for browsers. */
  site: string;
}

type Blocks = OverviewSnippet["blocks"];

/** Builds the code that includes a fragment, for each composer. */
export function buildSnippets(target: IncludeTarget): OverviewSnippet[] {
  const { service, site } = target;
  return [
    snippet("nginx", [
      { label: "block.config", code: recipeFor("nginx.conf", service) },
      ...pageBlocks(target, (path) => `<!--# include virtual="${path}" -->`),
    ]),
    snippet("varnish", [
      { label: "block.config", code: recipeFor("varnish.vcl", service) },
      ...pageBlocks(target, (path) => `<esi:include src="${attribute(path)}" onerror="continue"/>`),
    ]),
    snippet("podium", [
      { label: "block.manifest", code: service + target.manifest },
      { label: "block.module", code: recipeFor("podium-layout.mjs", service) },
      { label: "block.code", code: podiumCode(target, false) },
      ...(target.split ? [{ label: "block.codeHead" as const, code: podiumCode(target, true) }] : []),
    ]),
    snippet("tailor", [
      { label: "block.server", code: recipeFor("tailor.mjs", service) },
      ...pageBlocks(
        target,
        (path) => `<fragment src="${attribute(service + path)}"></fragment>`,
        // An HTML parser moves unknown elements from the head to the body.
        (path) => `<script type="fragment" src="${attribute(service + path)}"></script>`,
      ),
    ]),
    snippet("node", [
      { label: "block.module", code: recipeFor("fetch-fragment.mjs", service) },
      ...codeBlocks(target, nodeCode, service),
    ]),
    snippet("worker", [
      { label: "block.server", code: recipeFor("cloudflare-worker.mjs", service) },
      ...pageBlocks(target, (path) => `<esi:include src="${attribute(path)}"/>`),
    ]),
    snippet("browser", codeBlocks(target, browserCode, site)),
  ];
}

type Composer = "nginx" | "varnish" | "podium" | "tailor" | "node" | "worker" | "browser";

function snippet(composer: Composer, blocks: Blocks): OverviewSnippet {
  return { name: `composer.${composer}`, hint: `composer.${composer}.hint`, blocks };
}

/** Reads a recipe of deploy/edge, which the documents and tests use, too, and puts this service's origin into it. */
function recipeFor(file: string, service: string): string {
  const { host, hostname, port, protocol } = new URL(service);
  const defaultPort = protocol === "https:" ? "443" : "80";
  return readFileSync(join(root, "deploy", "edge", file), "utf8")
    .replaceAll("http://fragments:3000", service)
    .replaceAll("fragments:3000", port ? host : `${host}:${defaultPort}`)
    .replaceAll('.host = "fragments"; .port = "3000"', `.host = "${hostname}"; .port = "${port || defaultPort}"`);
}

type Tag = (path: string) => string;

/** The page that a composer completes, and its variant with the files in the head if the fragment can be split. */
function pageBlocks({ path, place, split }: IncludeTarget, inBody: Tag, inHead = inBody): Blocks {
  const whole = place === "head" ? page(inHead(path), "") : page("", inBody(path));
  return [
    { label: "block.page", code: whole },
    ...(split ? [{ label: "block.pageHead" as const, code: page(inHead(split.head), inBody(split.body)) }] : []),
  ];
}

function page(head: string, body: string): string {
  return [
    "<head>",
    "  <title>…</title>",
    ...(head ? [`  ${head}`] : []),
    "</head>",
    "<body>",
    "  <main>…</main>",
    ...(body ? [`  ${body}`] : []),
    "</body>",
  ].join("\n");
}

/** Writes code from the addresses of what belongs into the head and into the body of a page; either may be undefined. */
type WriteCode = (head: string | undefined, body: string | undefined) => string;

/** The code of a page, and its variant with the files in the head if the fragment can be split. */
function codeBlocks({ path, place, split }: IncludeTarget, write: WriteCode, origin: string): Blocks {
  const address = origin + path;
  return [
    { label: "block.code", code: place === "head" ? write(address, undefined) : write(undefined, address) },
    ...(split ? [{ label: "block.codeHead" as const, code: write(origin + split.head, origin + split.body) }] : []),
  ];
}

/**
 * What to change in the recipe of a Podium layout.
 * @param split - whether Podium's document loads the files that the manifest names
 */
function podiumCode({ fragment, manifest, parameters, place }: IncludeTarget, split: boolean): string {
  return [
    `const fragment = { name: "${fragment}", uri: \`\${FRAGMENTS}${manifest}\` };`,
    `const query = ${JSON.stringify({ ...parameters, ...(split && { assets: "none" }) })};`,
    ...(split
      ? ["", "// Podium's document loads the files in its head.", "if (content) incoming.podlets = [content];"]
      : []),
    ...(place === "head" ? ["", 'response.podiumSend("<main>…</main>", String(content));'] : []),
  ].join("\n");
}

/** The code of a Node server that uses the recipe fetch-fragment.mjs. */
const nodeCode: WriteCode = (head, body) => {
  const fetched = Object.entries({ head, body }).flatMap(([name, address]) =>
    address ? [`const ${name} = fetchFragment(${JSON.stringify(address)}, request.headers.cookie);`] : [],
  );
  return `import { fetchFragment } from "./overview/fetch-fragment.mjs";

${fetched.join("\n")}

const page = \`<!doctype html>
<html lang="…">
  <head><title>…</title>${head ? `\${await head}` : ""}</head>
  <body><main>…</main>${body ? `\${await body}` : ""}</body>
</html>\`;`;
};

/** The script of a page that fetches the fragment in the browser. */
const browserCode: WriteCode = (head, body) => {
  const includes = Object.entries({ head, body }).flatMap(([place, address]) =>
    address ? [`  await include(${JSON.stringify(address)}, document.${place});`] : [],
  );
  return `<script type="module">
${includes.join("\n")}

  async function include(address, place) {
    const response = await fetch(address, { signal: AbortSignal.timeout(3000) });
    if (!response.ok) return;
    // A contextual fragment runs its scripts, innerHTML doesn't.
    place.append(document.createRange().createContextualFragment(await response.text()));
  }
</script>`;
};

function attribute(address: string): string {
  return address.replaceAll("&", "&amp;");
}
