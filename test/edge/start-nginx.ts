import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { codeIn } from "../docs/read-documents.ts";
import { findFreePort } from "../support/find-free-port.ts";

export interface Nginx {
  /** Fetches a page through nginx, with its includes filled in. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
}

/**
 * Starts a real nginx that serves pages with includes, as an edge proxy would.
 * @param executable - path of nginx
 * @param fragments - origin of the fragment service
 * @param pages - HTML by file name
 */
export async function startNginx(executable: string, fragments: string, pages: Record<string, string>): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), "edge-"));
  const port = await findFreePort();
  await writeFile(join(folder, "nginx.conf"), config(folder, port, fragments));
  for (const [name, html] of Object.entries(pages)) await writeFile(join(folder, name), html);
  const nginx = spawn(executable, ["-p", folder, "-c", "nginx.conf", "-e", "stderr"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const get = (path: string, headers?: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: headers ?? {} });
  await untilAnswering(() => get("/"));
  return {
    get,
    async stop() {
      nginx.kill("SIGTERM");
      await once(nginx, "exit");
      await rm(folder, { recursive: true });
    },
  };
}

/** The edge of docs/include.md, with what it takes to run beside others and without rights. */
const edge = (fragments: string) => codeIn("nginx").join("\n").replaceAll("http://fragments:3000", fragments);
const config = (folder: string, port: number, fragments: string) => `
${process.getuid?.() === 0 ? "user root;" : ""}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  types { text/html html; }
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  proxy_cache_path ${folder}/cache keys_zone=fragments:1m;
  gzip on;
  upstream pages { server unix:${folder}/pages; }
  server {
    listen unix:${folder}/pages;
    root ${folder};
    gzip_proxied any;
    gzip_http_version 1.0;
    log_not_found off;
  }
  server {
    listen 127.0.0.1:${port};
${edge(fragments)}
    location /cached/ {
      proxy_pass ${fragments}/fragments/;
      proxy_cache fragments;
      add_header X-Edge-Cache $upstream_cache_status always;
    }
  }
}`;

async function untilAnswering(ask: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      await ask();
      return;
    } catch {
      await pause(50);
    }
  }
  throw new Error("nginx doesn't answer");
}
