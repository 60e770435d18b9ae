import { once } from "node:events";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { inject } from "vitest";
import { bundleClient } from "../../deploy/build/client-package.ts";
import { storefrontRoutes } from "../../packages/client/express.ts";
import { createFragments } from "../../packages/client/index.ts";
import { type Edge, runEdge } from "./run-edge.ts";
import { startNginx, startVarnish } from "./start-edges.ts";
import { page, pageOf, startPages } from "./start-pages.ts";
import type { EdgeService } from "./start-service.ts";

/** Every composer that has a recipe, as the documents call it. */
export const composerNames = ["nginx", "Varnish", "Podium", "Tailor", "client", "Cloudflare Worker"] as const;

export type ComposerName = (typeof composerNames)[number];

export type Composers = Awaited<ReturnType<typeof startComposers>>;

/**
 * Starts every composer from its recipe, in front of the service and of pages.
 * @param addresses - what the pages of Tailor include
 */
export async function startComposers({ origin }: EdgeService, addresses: readonly string[]) {
  const worker = await importWorker();
  const client = createFragments({ service: origin, onOutage: () => undefined });
  const pages = await startPages();
  const templates = addresses.map((address, index) => [`page-${index}`, page(tailorTag(origin + address))]);
  const [nginx, varnish, podium, wrongPodium, tailor] = await Promise.all([
    startNginx(inject("nginxPath"), [origin], pages.origin),
    startVarnish(inject("varnishPath"), [origin], pages.origin),
    startPodium(origin, ""),
    startPodium(origin, 'platform: "NONE"'),
    startTailor(origin, Object.fromEntries(templates)),
  ]);
  // Podium caches no content, and forwards no files: that is left to an nginx on each side of it.
  const podiumOnNginx = await startPodium(nginx.origin, "");
  const nginxOfPodium = await startNginx(inject("nginxPath"), [origin], podiumOnNginx.origin);
  const env = { FRAGMENTS: origin, PAGES: pages.origin };
  const compose: Record<ComposerName, (address: string, headers: Record<string, string>) => Promise<Response>> = {
    nginx: (address, headers) => nginx.get(pageOf("ssi", address), headers),
    Varnish: (address, headers) => varnish.get(pageOf("esi", address), headers),
    Podium: (address, headers) => (address.includes("NONE") ? wrongPodium : podium).get("/", headers),
    Tailor: (address, headers) => tailor.get(`/page-${addresses.indexOf(address)}`, headers),
    client: async (address, { Cookie: cookie }) => {
      const { pathname, searchParams } = new URL(address, origin);
      const parameters = Object.fromEntries(searchParams);
      const { head, html } = await client.get("footer", basename(pathname), parameters, { cookie });
      return new Response(page(head + html));
    },
    "Cloudflare Worker": (address, headers) =>
      worker.fetch(new Request(`http://shop.example${pageOf("esi", address)}`, { headers }), env),
  };
  const files = storefrontRoutes(client);
  const clientHost = await listen((request, response) =>
    files(request, response, async () => {
      const address = new URL(request.url ?? "", origin).searchParams.get("address") ?? "";
      const answer = await compose.client(address, {});
      response.setHeader("Content-Type", "text/html; charset=utf-8").end(await answer.text());
    }),
  );
  const workerHost = await listen(async ({ url, headers }, response) => {
    const answer = await worker.fetch(new Request(`http://${headers.host}${url}`), env);
    response.writeHead(answer.status, { "Content-Type": answer.headers.get("Content-Type") ?? "" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const addressIn: Record<ComposerName, (address: string) => string> = {
    nginx: (address) => nginx.origin + pageOf("ssi", address),
    Varnish: (address) => varnish.origin + pageOf("esi", address),
    Podium: () => nginxOfPodium.origin,
    Tailor: (address) => `${tailor.origin}/page-${addresses.indexOf(address)}`,
    client: (address) => clientHost.origin + pageOf("none", address),
    "Cloudflare Worker": (address) => workerHost.origin + pageOf("esi", address),
  };
  return {
    nginx,
    varnish,
    pages,
    client,
    /** Returns the address of a page for a browser, whose host also has the fragment's files. */
    addressIn: (composer: ComposerName, address: string) => addressIn[composer](address),
    /** Returns a page from a composer. Podium includes what its recipe names, whatever the address. */
    compose: (composer: ComposerName, address: string, headers: Record<string, string> = {}) =>
      compose[composer](address, headers),
    async stop() {
      const edges = [nginx, varnish, podium, wrongPodium, tailor, podiumOnNginx, nginxOfPodium];
      await Promise.all(edges.map((edge) => edge.stop()));
      for (const host of [clientHost, workerHost]) host.close();
      await pages.close();
    },
  };
}

/** Starts a server of a composer that runs in this process. */
async function listen(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const tailorTag = (address: string) => `<fragment src="${address.replaceAll("&", "&amp;")}"></fragment>`;

/** Returns what a composer has put in place of the fragment. */
export function placeOf(html: string): string {
  const [, place] = /<main>[^<]*<\/main>(.*?)(?:<p>end<\/p>)?\s*<\/body>/s.exec(html) ?? [];
  if (place === undefined) throw new Error(`no page: ${html.slice(0, 500)}`);
  return place.replaceAll(/<!-- Fragment #\d+ (START|END) -->/g, "").trim();
}

/** Removes the tags of styles and scripts. The client puts them before a fragment, which otherwise contains them. */
export function withoutTags(html: string): string {
  return html.replaceAll(/<link [^>]*>|<script [^>]*><\/script>/g, "");
}

interface Worker {
  fetch(request: Request, env: { FRAGMENTS: string; PAGES: string }): Promise<Response>;
}

/** Gives the recipe of the Worker. */
export async function importWorker(): Promise<Worker> {
  const { default: worker } = await import(pathToFileURL("deploy/edge/cloudflare-worker.mjs").href);
  return worker;
}

/** The folder whose packages have Tailor. */
export const tailorPackages = "test/edge/tailor";

/** Starts the recipe of a Podium layout, with a parameter or without. */
function startPodium(fragments: string, query: string): Promise<Edge> {
  const recipe = "podium-layout.mjs";
  return startRecipe(recipe, ".", { FRAGMENTS: fragments }, async (folder) => {
    const code = await readFile(`${folder}/${recipe}`, "utf8");
    await writeFile(`${folder}/${recipe}`, code.replace("const query = {};", `const query = {${query}};`));
  });
}

/**
 * Starts the recipe of Tailor.
 * @param pages - HTML by name
 */
function startTailor(fragments: string, pages: Record<string, string>): Promise<Edge> {
  return startRecipe("tailor.mjs", tailorPackages, { FRAGMENTS: fragments }, async (folder) => {
    await bundleClient(`${folder}/node_modules/@storefront-fragments/client`);
    await mkdir(`${folder}/templates`);
    for (const [name, html] of Object.entries({ ...pages, ready: "<p>ready</p>" }))
      await writeFile(`${folder}/templates/${name}.html`, html);
  });
}

/** Starts a recipe for Node.js as it is, in a folder that has its packages. */
function startRecipe(
  name: string,
  packages: string,
  env: Record<string, string>,
  prepare: (folder: string) => Promise<void>,
): Promise<Edge> {
  return runEdge(async (port, folder) => {
    await cp("deploy/edge", folder, { recursive: true });
    await mkdir(`${folder}/node_modules`);
    for (const name of await readdir(`${packages}/node_modules`))
      await symlink(resolve(packages, "node_modules", name), `${folder}/node_modules/${name}`);
    await prepare(folder);
    return { command: [process.execPath, name], env: { ...env, PORT: String(port) } };
  });
}
