import { writeFile } from "node:fs/promises";
import { inject } from "vitest";
import { fillIn } from "./fill-in.ts";
import { type Edge, runEdge } from "./run-edge.ts";

/** Starts a real Varnish with the recipe. */
export function startVarnish(fragments: string, pages: string): Promise<Edge> {
  return runEdge(async (port, folder) => {
    const recipe = fillIn("varnish.vcl", {
      [backend("pages", "8080")]: backend("127.0.0.1", new URL(pages).port),
      [backend("fragments", "3000")]: backend("127.0.0.1", new URL(fragments).port),
    });
    await writeFile(`${folder}/varnish.vcl`, recipe);
    const listen = ["-a", `127.0.0.1:${port}`, "-n", `${folder}/work`, "-s", "malloc,32m"];
    return { command: [inject("varnishPath"), "-j", "none", "-F", "-f", `${folder}/varnish.vcl`, ...listen] };
  });
}

const backend = (host: string, port: string) => `.host = "${host}"; .port = "${port}";`;
