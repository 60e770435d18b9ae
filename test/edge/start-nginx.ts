import { mkdir, writeFile } from "node:fs/promises";
import { inject } from "vitest";
import { fillIn } from "./fill-in.ts";
import { type Edge, runEdge } from "./run-edge.ts";

/** Starts a real nginx with the recipe, and what it takes to run it beside others and without rights. */
export function startNginx(fragments: string, pages: string): Promise<Edge> {
  return runEdge(async (port, folder) => {
    await mkdir(`${folder}/temp`);
    const recipe = fillIn("nginx.conf", {
      "pages:8080": new URL(pages).host,
      "fragments:3000": new URL(fragments).host,
      "/var/cache/nginx": `${folder}/cache`,
      "listen 80;": `listen 127.0.0.1:${port};`,
    });
    await mkdir(`${folder}/cache`);
    await writeFile(`${folder}/nginx.conf`, around(recipe, folder));
    return { command: [inject("nginxPath"), "-p", folder, "-c", "nginx.conf", "-e", "stderr"] };
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
