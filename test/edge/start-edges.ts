import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { type Edge, runEdge } from "./run-edge.ts";

/** Origins of one replica of the service or of two, for which the recipes have a line. */
type Replicas = readonly [first: string, second?: string];

/**
 * Starts a real nginx with the recipe, and what it takes to run it beside others and without rights.
 * @param program - path of nginx
 * @param pages - origin of the shop's pages
 * @param more - further values of the reader
 */
export function startNginx(
  program: string,
  [first, second]: Replicas,
  pages: string,
  more: Record<string, string> = {},
): Promise<Edge> {
  return runEdge(async (port, folder) => {
    await mkdir(`${folder}/temp`);
    const recipe = fillIn("nginx.conf", {
      "pages:8080": new URL(pages).host,
      "fragments:3000": new URL(first).host,
      ...(second && { "#server fragments-2:3000": `server ${new URL(second).host}` }),
      "/var/cache/nginx": `${folder}/cache`,
      "listen 80;": `listen 127.0.0.1:${port};`,
      ...more,
    });
    await mkdir(`${folder}/cache`);
    await writeFile(`${folder}/nginx.conf`, around(recipe, folder));
    return { command: [program, "-p", folder, "-c", "nginx.conf", "-e", "stderr"] };
  });
}

const around = (recipe: string, folder: string) => `
${process.getuid?.() === 0 ? "user root;" : ""}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/temp/${name};`).join("\n  ")}
${recipe}
}`;

/**
 * Starts a real Varnish with the recipe.
 * @param program - path of varnishd
 * @param pages - origin of the shop's pages
 * @param more - further values of the reader
 */
export function startVarnish(
  program: string,
  [first, second]: Replicas,
  pages: string,
  more: Record<string, string> = {},
): Promise<Edge> {
  return runEdge(async (port, folder) => {
    const recipe = fillIn("varnish.vcl", {
      [backend("pages", "8080")]: backend("127.0.0.1", new URL(pages).port),
      [backend("fragments", "3000")]: backend("127.0.0.1", new URL(first).port),
      ...(second && {
        "#backend storefront_2": "backend storefront_2",
        [backend("fragments-2", "3000")]: backend("127.0.0.1", new URL(second).port),
        "#replicas.add_backend": "replicas.add_backend",
      }),
      ...more,
    });
    await writeFile(`${folder}/varnish.vcl`, recipe);
    const listen = ["-a", `127.0.0.1:${port}`, "-n", `${folder}/work`, "-s", "malloc,32m"];
    return { command: [program, "-j", "none", "-F", "-f", `${folder}/varnish.vcl`, ...listen] };
  });
}

const backend = (host: string, port: string) => `.host = "${host}"; .port = "${port}";`;

/** The line of each recipe below which the reader changes nothing. */
const end = "# Nothing below needs a change.";

/**
 * Fills the reader's own values into a recipe, which may have them only above its marked end.
 * @param name - file in deploy/edge/
 * @param values - the reader's values, by the recipe's examples
 * @throws Error if the recipe lacks one of them there
 */
function fillIn(name: string, values: Record<string, string>): string {
  const [own = "", rest] = readFileSync(`deploy/edge/${name}`, "utf8").split(end);
  if (rest === undefined) throw new Error(`${name} doesn't say where what is the reader's own ends`);
  let filled = own;
  for (const [from, to] of Object.entries(values)) {
    if (!filled.includes(from)) throw new Error(`${name} has no place for ${from}`);
    filled = filled.replaceAll(from, to);
  }
  return filled + end + rest;
}
