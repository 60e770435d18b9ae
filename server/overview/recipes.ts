import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.ts";

/** The files that put a composer in front of this service. The overview, the documents and test/edge/ read the same. */
const recipes = {
  nginx: "nginx.conf",
  varnish: "varnish.vcl",
  podium: "podium-layout.mjs",
  tailor: "tailor.mjs",
  fetch: "fetch-fragment.mjs",
  worker: "cloudflare-worker.mjs",
} as const;

/**
 * Gives a recipe with this service's address in it.
 * @param service - the origin of this service
 */
export function recipeFor(composer: keyof typeof recipes, service: string): string {
  const { host, hostname, port, protocol } = new URL(service);
  const usual = protocol === "https:" ? "443" : "80";
  return readFileSync(join(root, "deploy", "edge", recipes[composer]), "utf8")
    .replaceAll("http://fragments:3000", service)
    .replaceAll("fragments:3000", port ? host : `${host}:${usual}`)
    .replaceAll('.host = "fragments"; .port = "3000"', `.host = "${hostname}"; .port = "${port || usual}"`);
}
