import type { Express } from "express";
import { describe, expect, it } from "vitest";
import type { Readiness } from "../../../server/platform/lifecycle.ts";
import { createOpsApp } from "../../../server/process/ops-app.ts";
import { serve } from "../../support/start-stub.ts";
import { createTestApp } from "../../support/test-app.ts";

/** Creates the function that returns an app's answers over connections that the client wants to keep alive. */
async function asker(app: Express): Promise<(path: string, method?: string) => Promise<Response>> {
  const port = await serve(app);
  return (path, method = "GET") => fetch(`http://127.0.0.1:${port}${path}`, { method });
}

const listeners: [string, (readiness: Readiness) => Promise<Express>][] = [
  ["main", async (readiness) => (await createTestApp({ readiness })).app],
  [
    "operators'",
    async (readiness) => {
      const { deps } = await createTestApp();
      return createOpsApp({ ...deps, readiness });
    },
  ],
];

describe.each(listeners)("the %s listener", (name, create) => {
  it.each([
    ["starting", 503],
    ["ready", 200],
    ["draining", 503],
  ] as const)("says whether it is ready: %s is %i", async (state, status) => {
    const ask = await asker(await create({ state }));
    const response = await ask("/readyz");
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ status: state });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await ask("/readyz", "HEAD")).status).toBe(status);
    expect(await (await ask("/livez")).json()).toEqual({ status: "alive" });
  });

  it("is ready without its store, as footers don't need it, and tells operators alone", async () => {
    const ask = await asker(await create({ state: "ready", store: "down" }));
    const response = await ask("/readyz");
    expect(response.status).toBe(200);
    const told = name === "main" ? {} : { store: "down" };
    expect(await response.json()).toEqual({ status: "ready", ...told });
  });

  it("closes its connections while it drains, and keeps them before", async () => {
    const readiness: Readiness = { state: "ready" };
    const ask = await asker(await create(readiness));
    const paths = ["/livez", "/readyz", "/metrics", "/nowhere"];
    for (const path of paths) expect((await ask(path)).headers.get("connection"), path).toBe("keep-alive");
    readiness.state = "draining";
    for (const path of paths) expect((await ask(path)).headers.get("connection"), path).toBe("close");
  });
});
