import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { second } from "../../../client/rules/time.ts";
import { findFreePort } from "../../support/find-free-port.ts";
import type { Edge } from "../run-edge.ts";

/** A test of the suite, with the fields that are used here. */
interface CacheTest {
  id: string;
  /** Missing for a requirement; a check only asks how a cache behaves. */
  kind?: "required" | "optimal" | "check";
  browser_only?: boolean;
}

interface TestGroup {
  id: string;
  tests: CacheTest[];
}

type Handle = (path: string[], request: IncomingMessage, response: ServerResponse) => void;

/** The function that the suite calls instead of `fetch`. */
type Call = (url: string, init?: RequestInit) => Promise<Response>;

/** The suite's modules, which have no types. */
const load = async (file: string) => import(`${import.meta.dirname}/node_modules/http-cache-tests/${file}`);

const [config, { makeCacheTest, testResults }, { default: groups }] = await Promise.all(
  ["client/config.mjs", "client/test.mjs", "tests/index.mjs"].map(load),
);
const handlers: Record<string, Handle> = Object.fromEntries(
  await Promise.all(
    ["config", "state", "test"].map(async (name) => [name, (await load(`server/handle-${name}.mjs`)).default]),
  ),
);

/** Starts the suite's origin, below /fragments/ as the service. It is ready for the checks of an edge. */
export async function startOrigin() {
  const server = createServer((request, response) => {
    const [place = "", ...path] = (request.url ?? "")
      .replace(/^\/fragments/, "")
      .replace(/\?.*/, "")
      .split("/")
      .slice(1);
    const handle = handlers[place];
    if (handle) handle(path, request, response);
    else response.end();
  });
  const port = await findFreePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** The number of concurrent tests. Most of the time they wait for a copy to age. */
const atOnce = 40;

/**
 * Runs groups of the suite through an edge.
 * @param origin - the one that `startOrigin` has started
 * @param isAsked - which tests of the groups to run
 * @returns by group, whether each test has passed
 */
export async function runSuite(
  edge: Edge,
  origin: string,
  names: readonly string[],
  isAsked: (test: CacheTest) => boolean,
) {
  config.setFetch(createCall(edge, origin));
  config.setBaseUrl("");
  // A copy, because the suite writes into its tests.
  const asked = (structuredClone(groups) as TestGroup[]).filter(({ id }) => names.includes(id));
  const tests = asked.flatMap((group) =>
    group.tests.filter((test) => !test.browser_only && isAsked(test)).map((test) => ({ group: group.id, test })),
  );
  for (let done = 0; done < tests.length; done += atOnce)
    await Promise.all(tests.slice(done, done + atOnce).map(({ test }) => makeCacheTest(test)));
  const results = tests.map(({ group, test }) => ({ group, id: test.id, passed: testResults[test.id] === true }));
  for (const { id } of results) delete testResults[id];
  return results;
}

/**
 * Creates the function that sends the suite's tests through the edge as includes, and its instructions directly to its
 * origin.
 */
function createCall(edge: Edge, origin: string): Call {
  const signal = () => AbortSignal.timeout(20 * second);
  /** The answers that the origin was told to give, by test id. */
  const told = new Map<string, string>();
  return async (url, { method = "GET", headers = [], body = null } = {}) => {
    const [, place, id = ""] = url.split(/[/?]/);
    if (place === "config") told.set(id, String(body));
    // Varnish requests a newer copy after it has answered.
    if (place === "state") await pause(second);
    if (place !== "test") return fetch(origin + url, { method, headers, body, signal: signal() });
    const own = [...(headers as [string, string][]), ["Accept-Encoding", "identity"] as [string, string]];
    const response = await fetch(`${edge.origin}/fragments${url}`, { method, headers: own, body, signal: signal() });
    if (!response.headers.has("server-request-count") && response.status !== 304)
      throw new Error(`the edge itself answers with ${response.status}`);
    return withoutCompression(response, told.get(id) ?? "");
  };
}

/**
 * Reverts the changes that compression rightly makes to headers, which the suite would take for faults: `Vary` names
 * `Accept-Encoding`, and a strong `ETag` becomes weak.
 * @param told - the answer that the origin was told to give, as JSON
 */
async function withoutCompression(response: Response, told: string): Promise<Response> {
  const headers = new Headers(response.headers);
  const etag = headers.get("etag") ?? "";
  if (etag.startsWith("W/") && !told.includes(JSON.stringify(etag))) headers.set("etag", etag.slice("W/".length));
  const vary = (headers.get("vary") ?? "").split(/, */).filter((name) => name.toLowerCase() !== "accept-encoding");
  headers.delete("vary");
  if (vary.length > 0 && vary[0] !== "") headers.set("vary", vary.join(", "));
  const body = await response.text();
  return { status: response.status, headers, text: async () => body } as Response;
}
