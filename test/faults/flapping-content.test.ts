import { setImmediate as turnOfLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import request from "supertest";
import { expect, it, onTestFinished } from "vitest";
import { footerTextLocale } from "../../server/sites/site.ts";
import { json, startStub } from "../support/start-stub.ts";
import { createTestApp, siteOf, texts } from "../support/test-app.ts";

it("keeps at most 5 MB of contents that differ at each call, and none that was replaced", async () => {
  const site = siteOf("DE");
  const known = texts.bundle(footerTextLocale(site), "footer");
  const link = { url: "/service/recall", text: "recall" };
  const footer = { ...site.footer, legalLinks: [...site.footer.legalLinks, ...Array(100).fill(link)] };
  let calls = 0;
  const stub = await startStub((call, response) => {
    if (call.url?.includes("checkauth"))
      return json('{"status":"SUCCESS","dateTime":"2027-01-01T00:00:00Z"}')(call, response);
    const recall = `${calls++} ${"a".repeat(1_500)}`;
    // Every third one is refused.
    const text = calls % 3 === 0 ? `${recall} {{- x}}` : recall;
    json(JSON.stringify({ footer, texts: { ...known, recall: text } }))(call, response);
  });
  const upstreams = { content: stub.origin, preview: stub.origin };
  const { app, service, logs } = await createTestApp({ upstreams });
  const [job] = service.content.jobs ?? [];
  onTestFinished(() => job?.close());
  const cookie = "StaffAuthToken=x; CobraAuthToken=x; PreviewContext=x";
  const read = async (headers: Record<string, string>) => {
    const { text } = await request(app).get("/fragments/footer/DE").set(headers).expect(200);
    expect(text).toMatch(/^<footer.*<\/footer>$/s);
  };
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const held = async () => {
    for (let least = Number.POSITIVE_INFINITY; ; ) {
      await turnOfLoop();
      collect();
      const { heapUsed, external } = process.memoryUsage();
      if (heapUsed + external >= least) return least;
      least = heapUsed + external;
    }
  };
  const shown = new Set<WeakRef<object>>();
  const flap = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      await job?.start();
      await read({});
      shown.add(new WeakRef(service.content.contents.current(site)));
      for (let draft = 0; draft < 5; draft++) await read({ Cookie: cookie });
      logs.length = 0;
    }
  };
  await flap(3);
  const before = await held();
  await flap(10);
  const grown = ((await held()) - before) / 1e6;
  expect(grown).toBeLessThan(5);
  // Each request had a host of its own, so the service remembers an address of every content.
  const kept = [...shown].filter((content) => content.deref() !== undefined);
  expect(kept.length, "contents in memory").toBeLessThan(3);
}, 180_000);
