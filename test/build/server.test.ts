import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, statSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { second } from "../../client/rules/time.ts";
import { manifestFile } from "../../deploy/build/build-id.ts";
import { findSites } from "../../server/config/country-files.ts";
import { memoryOf } from "../bench/process-figures.ts";
import { answerRightly } from "../support/answer-rightly.ts";
import { decodeMetrics, decodeSpanNames, linesOf } from "../support/decode-otlp.ts";
import { productionVariables } from "../support/production-variables.ts";
import { builtService, startProcess, stopProcesses } from "../support/start-process.ts";
import { startStub } from "../support/start-stub.ts";

afterAll(stopProcesses);

it("starts where there are no packages, no code is made of text, and nobody may write what Node has compiled", async () => {
  const folder = await mkdtemp(join(tmpdir(), "image-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const part of ["assets", "client", "countries", "locales", "package.json", "schemas", "server"])
    await cp(join("dist", part), join(folder, part), { recursive: true });
  // A file in place of the folder, into which even root can't write.
  await writeFile(join(folder, "compile-cache"), "");

  // A schema compiled at the start would be code generated from a string.
  const words = ["--disallow-code-generation-from-strings", "server/main.js"];
  const service = startProcess({ ...productionVariables }, [process.execPath, ...words], folder);
  const answer = await fetch(`http://127.0.0.1:${await service.port}/fragments/footer?site=DE`);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("<footer")]);
  expect(service.stderr()).toBe("");
});

const old = `Object.defineProperty(process, "version", { value: "v20.20.2" })`;
const onOldNode = ["--import", `data:text/javascript,${encodeURIComponent(old)}`];

it.each([["build.mjs"], ["dist/server/main.js"], ["dist/server/commands/main.js", "start"]])(
  "says in one sentence that Node is too old: node %s %s",
  (...words) => {
    const { status, stderr } = spawnSync(process.execPath, [...onOldNode, ...words], { encoding: "utf8" });
    expect([status, stderr]).toEqual([1, "Storefront Fragments needs Node 26 or newer; this is 20.20.2.\n"]);
  },
);

it("calls real services as it is built", async () => {
  const stub = await startStub(answerRightly);
  const service = startProcess({ UPSTREAM_PROMOTION_URL: stub.origin });
  const answer = await fetch(`http://127.0.0.1:${await service.port}/fragments/footer?site=DE`);
  expect(answer.status).toBe(200);
  expect(stub.requests[0]?.url).toBe("/service/promotion/api/promotion/SHOP_FOOTER");
});

/** Starts the built service, and makes it print the path of each of its own files that it loads. */
function startAloud(environment: Record<string, string>) {
  const aloud = `import { registerHooks } from "node:module";
    registerHooks({ load(url, context, next) { console.log("loads " + url); return next(url, context); } });`;
  const [program, ...words] = builtService;
  const hooks = `data:text/javascript,${encodeURIComponent(aloud)}`;
  const service = startProcess(environment, [program, "--import", hooks, ...words]);
  const ofOpenTelemetry = globSync("dist/server/*.js").filter((file) =>
    /BatchSpanProcessor|PeriodicExportingMetricReader/.test(readFileSync(file, "utf8")),
  );
  const loadsExports = () => ofOpenTelemetry.some((file) => service.stdout().includes(`${file}\n`));
  return { ...service, loadsExports };
}

it("loads nothing of OpenTelemetry's unless a collector is named, which then gets what is left at the end", async () => {
  const received = new Map<string | undefined, Buffer>();
  const collector = await startStub(async (request, response) => {
    received.set(request.url, await buffer(request));
    response.end();
  });
  const named = startAloud({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin, OTEL_SERVICE_NAME: "shop-fragments" });
  const unnamed = startAloud({ OTEL_SERVICE_NAME: "shop-fragments" });
  const answer = await fetch(`http://127.0.0.1:${await named.port}/fragments/footer?site=DE`);
  expect(answer.status).toBe(200);
  named.signal("SIGTERM");
  expect(await named.ended).toMatchObject({ code: 0 });
  await expect.poll(() => [...received.keys()].sort()).toEqual(["/v1/metrics", "/v1/traces"]);
  const [spans, metrics] = [received.get("/v1/traces"), received.get("/v1/metrics")];
  expect(decodeSpanNames(spans ?? Buffer.of())).toContain("GET /fragments/:name{/:site}");
  expect(linesOf(decodeMetrics(metrics ?? Buffer.of()).metrics)).toContain(
    'fragment_responses_total{fragment="footer",site="DE",state="fresh",cache="miss"} 1',
  );
  await unnamed.port;
  expect([named.loadsExports(), unnamed.loadsExports()]).toEqual([true, false]);
  expect(unnamed.stdout()).toMatch(
    /"service":"shop-fragments".*"version":"\d+\.\d+\.\d+","build":"[\da-f]{12}","msg":"listening"/,
  );
  expect(named.stderr() + unnamed.stderr()).toBe("");
});

it("ends before it is ready if it can't render a footer, and renders a fallback that is asked for before it was prepared", async () => {
  const fault = "Intl.Locale = class { constructor() { throw new TypeError('planted failure'); } };";
  const [program, ...words] = builtService;
  const hook = `data:text/javascript,${encodeURIComponent(fault)}`;
  const broken = startProcess({ DEMO: "off" }, [program, "--import", hook, ...words]);
  const service = startProcess({});
  const port = await service.port;
  const answers = findSites("countries").map(async (site) => {
    const answer = await fetch(`http://127.0.0.1:${port}/fragments/footer/${site}/fallback`);
    return [answer.status, await answer.text()];
  });
  for (const answer of await Promise.all(answers)) expect(answer).toEqual([200, expect.stringContaining("</footer>")]);
  expect(await broken.ended).toMatchObject({ code: 1 });
  expect(broken.stdout()).not.toContain('"msg":"listening"');
  expect(broken.stdout()).toMatch(/planted.*"msg":"crashed, draining"/);
});

it.runIf(process.platform === "linux")("takes little memory at rest", async () => {
  // On a busy machine more threads work at once during a start, and the allocator keeps up to 5 MB more for them.
  const services = [1, 2, 3].map(() => startProcess({ DEMO: "off" }));
  await Promise.all(services.map(({ port }) => port));
  const least = () => Math.min(...services.map(({ pid }) => memoryOf(pid ?? 0))) / 1e6;
  await expect.poll(least, { timeout: 20_000 }).toBeLessThan(130);
});

it.runIf(process.platform === "linux")("gives up what its start needed, even if requests came meanwhile", async () => {
  const service = startProcess({ DEMO: "off" });
  const port = await service.port;
  const memory = () => memoryOf(service.pid ?? 0) / 1e6;
  let most = 0;
  // For longer than the service waits with this after its start.
  for (const end = performance.now() + 3 * second; performance.now() < end; most = Math.max(most, memory()))
    await (await fetch(`http://127.0.0.1:${port}/fragments/footer?site=DE`)).text();
  await expect.poll(memory, { timeout: 20_000 }).toBeLessThan(most - 10);
});

it("logs errors with function, file and line of the sources", async () => {
  const fault = `process.on("SIGUSR2", () => {
    const { stringify } = JSON;
    JSON.stringify = (value, ...rest) => {
      // The properties of a footer.
      if (value?.holdsPreviewPanel !== undefined) throw new TypeError("planted failure");
      return stringify(value, ...rest);
    };
    console.log("planted");
  })`;
  const [program, ...words] = builtService;
  const service = startProcess({ DEMO: "off" }, [
    program,
    "--import",
    `data:text/javascript,${encodeURIComponent(fault)}`,
    ...words,
  ]);
  const port = await service.port;
  service.signal("SIGUSR2");
  await expect.poll(() => service.stdout()).toContain("planted");
  await fetch(`http://127.0.0.1:${port}/fragments/footer?site=AT`);
  await expect.poll(() => service.stdout()).toContain("fragment rendering failed");
  const [line = "{}"] = service
    .stdout()
    .split("\n")
    .filter((text) => text.includes("fragment rendering failed"));
  const file = "server/rendering/response-cache.ts";
  const [source = ""] = (await readFile(file, "utf8")).split("JSON.stringify(content.props)");
  const place = `${file}:${source.split("\n").length}:`;
  expect(JSON.parse(line).err.stack).toMatch(/at .*fetchMethod /);
  expect(JSON.parse(line).err.stack).toContain(place);
});

it("is ASCII, as one other letter in a file makes it take twice the memory", async () => {
  for (const file of globSync("dist/server/*.js")) {
    const [other] = /[^\0-\x7f]/.exec(await readFile(file, "utf8")) ?? [];
    expect(other, `${file}: write it as an escape, such as \\u2019, where it stands in a regular expression`).toBe(
      undefined,
    );
  }
});

it("names a port that is taken before it builds", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const port = Number(Object(other.address()).port);
  const env = { PORT: String(port), OPS_PORT: "0" };
  const built = statSync(manifestFile).mtimeMs;
  const { status, stderr } = spawnSync(process.execPath, ["build.mjs", "--force", "--start"], {
    env,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([1, expect.stringMatching(`EADDRINUSE.* PORT=${port + 1} npm start\n$`)]);
  expect(statSync(manifestFile).mtimeMs).toBe(built);
});
