import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { edgeRoutes } from "../../server/http/edge-routes.ts";
import type { FragmentName, Fragments } from "./index.ts";

/** The folder of the service's answers by path, recorded when the package was built. */
const release = fileURLToPath(new URL("./release/", import.meta.url));

const types: Record<string, string> = {
  "": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * Creates fragments without a service, for tests of pages.
 * @param html - the HTML of every fragment, or of each by name
 */
export function stubFragments(html: string | { [Name in FragmentName]?: string | undefined }): Fragments {
  const htmlOf = (name: FragmentName) => (typeof html !== "string" ? (html[name] ?? "") : name === "head" ? "" : html);
  return {
    get: async (name) => ({ html: htmlOf(name), head: "", state: "fresh", build: "stub" }),
    contentSecurityPolicy: async (policy) => policy,
    insert: async (page) => page.replace(/(?=<\/body>)|$/i, () => htmlOf("footer")),
    routes: async () => [...edgeRoutes],
    warm: async () => undefined,
    keepFiles: () => async () => undefined,
    purge: () => undefined,
  };
}

/**
 * Starts a server with the fragments of this release and all files that they load. It ignores parameters, accepts
 * sign-ups for the newsletter and assigns no A/B test. It answers no other calls.
 * @param port - default: a free one
 */
export async function startServer({ port = 0 }: { port?: number | undefined } = {}): Promise<{
  url: string;
  close: () => Promise<void>;
}> {
  const files = readdirSync(release, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const answers = new Map(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [`/${file.slice(release.length).replaceAll(sep, "/")}`, file];
    }),
  );
  const server = createServer((request, response) => answer(answers, request, response));
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

function answer(answers: Map<string, string>, { method, url = "/" }: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(url, "http://fragments");
  if (method === "POST" && pathname.endsWith("/newsletter-subscribers")) {
    response.writeHead(202, { "Content-Type": types[".json"] }).end('{"status":"ACCEPTED"}');
    return;
  }
  if (pathname === "/service/abtestfrontend/api/v1/getassignment") {
    response.writeHead(200, { "Content-Type": types[".json"] }).end("[]");
    return;
  }
  const file = answers.get(pathname);
  if (file === undefined) {
    response.writeHead(404, { "X-Fragment-Error": "the release has no such file" }).end();
    return;
  }
  response
    .writeHead(200, { "Content-Type": types[extname(file)], "Cache-Control": "max-age=60" })
    .end(readFileSync(file));
}
