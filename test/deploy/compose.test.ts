import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { load } from "cheerio";
import { request } from "undici";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { parse } from "yaml";
import { second } from "../../client/rules/time.ts";
import { runEdge } from "../edge/run-edge.ts";
import { startVarnish } from "../edge/start-edges.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { startStub, status } from "../support/start-stub.ts";
import { createTestApp } from "../support/test-app.ts";

interface ComposeService {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  /** `<source>:<target>`, or `<source>:<target>:ro`. */
  volumes?: string[];
  ports?: string[];
}

const folder = "deploy/compose";
const services: Record<string, ComposeService> = parse(readFileSync(`${folder}/compose.yaml`, "utf8"), {
  merge: true,
}).services;

describe("compose.yaml", () => {
  it("is valid for docker-compose", () => {
    execFileSync("docker-compose", ["--file", `${folder}/compose.yaml`, "config", "--quiet"]);
  });

  it("pins each image", () => {
    const images = Object.values(services).map(({ image }) => image);
    expect(images.filter((image) => !/:v?\d+\.\d+(\.\d+)?$/.test(image))).toEqual([]);
  });

  it("publishes ports on this machine alone", () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toContain("127.0.0.1:8080:8080");
    expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
  });

  it("mounts files that exist, the dashboard where Grafana looks for it", () => {
    const mounts = (name: string) => services[name]?.volumes?.map((text) => text.split(":")) ?? [];
    const files = Object.keys(services).flatMap((name) => mounts(name).map(([source = ""]) => source));
    expect(files.filter((file) => file.startsWith(".") && !existsSync(join(folder, file)))).toEqual([]);
    const [provider] = parse(readFileSync(`${folder}/grafana/dashboards/storefront.yaml`, "utf8")).providers;
    const [file = "", target = ""] =
      mounts("grafana").find(([, at = ""]) => dirname(at) === provider.options.path) ?? [];
    expect(basename(resolve(folder, file))).toBe("storefront.json");
    expect(services.grafana?.environment?.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH).toBe(target);
  });

  it("lets the replicas purge, in a line that the recipe of Varnish has", () => {
    const [, line = "-"] = /s\/(acl purgers .*?)\//.exec(services.varnish?.command?.join(" ") ?? "") ?? [];
    expect(readFileSync("deploy/edge/varnish.vcl", "utf8")).toContain(line);
  });
});

/** Starts nginx with the configuration of the load balancer. */
async function startBalancer(replicas: readonly string[]) {
  const pagesPort = await findFreePort();
  const { origin, stop } = await runEdge(async (port, temp) => {
    const config = readFileSync(`${folder}/nginx.conf`, "utf8")
      .replaceAll(/storefront-([12]):8080/g, (_name, number) => new URL(replicas[number - 1] ?? "").host)
      .replaceAll("/tmp/", `${temp}/`)
      .replace("0.0.0.0:3000", `127.0.0.1:${port}`)
      .replace("0.0.0.0:8080", `127.0.0.1:${pagesPort}`);
    await writeFile(`${temp}/nginx.conf`, config);
    const own = `daemon off;${process.getuid?.() === 0 ? " user root;" : ""}`;
    return { command: [inject("nginxPath"), "-c", `${temp}/nginx.conf`, "-e", "stderr", "-g", own] };
  });
  onTestFinished(stop);
  return { service: origin, pages: `http://127.0.0.1:${pagesPort}` };
}

describe("the load balancer", () => {
  const files: RequestListener = (_request, response) => void response.end("file");
  /** Returns the statuses of two requests, of which nginx sends one to each replica first. */
  const askTwice = async (url: string, method = "GET") => {
    const answers = [await request(url, { method }), await request(url, { method })];
    for (const { body } of answers) await body.dump();
    return answers.map(({ statusCode }) => statusCode).sort();
  };

  it("asks the other replica instead of one that is gone or answers 503, changes included", async () => {
    const [old, other] = [await startStub(files), await startStub(files)];
    const { service } = await startBalancer([old.origin, other.origin]);
    old.answer = status(404);
    expect(await askTwice(`${service}/fragments/none`)).toEqual([200, 404]);
    old.answer = status(503);
    expect(await askTwice(`${service}/fragments/footer/DE`)).toEqual([200, 200]);
    expect(await askTwice(`${service}/login`, "POST")).toEqual([200, 200]);
    await old.close();
    expect(await askTwice(`${service}/login`, "POST")).toEqual([200, 200]);
  });

  it("ignores what visitors' requests claim about their address", async () => {
    const replica = await startStub(files);
    const { pages } = await startBalancer([replica.origin, replica.origin]);
    const told = { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https", "X-Original-Address": "1.2.3.4" };
    await (await request(pages, { headers: told })).body.dump();
    const { headers } = replica.requests.at(-1) ?? {};
    expect(headers).toMatchObject({ "surrogate-capability": 'varnish="ESI/1.0"' });
    expect(Object.keys(headers ?? {}).filter((name) => /^x-(forwarded|original)/.test(name))).toEqual([]);
  });

  it("and Varnish show the demo shop with the footer that Varnish includes", async () => {
    const { app } = await createTestApp({ demo: true, trustProxy: ["loopback"] });
    const replica = createServer(app).listen(0, "127.0.0.1");
    await once(replica, "listening");
    onTestFinished(() => void replica.close());
    const origin = `http://127.0.0.1:${(replica.address() as AddressInfo).port}`;
    const balancer = await startBalancer([origin, origin]);
    const varnish = await startVarnish(inject("varnishPath"), [balancer.service], balancer.pages);
    onTestFinished(varnish.stop);
    const open = async (url: string, headers = {}) =>
      (await request(url, { headers: { Host: "ch-fr.localhost", ...headers } })).body.text();
    expect(await open(balancer.pages)).toContain(
      '<esi:include src="/fragments/footer/CH_FR?assets=none" onerror="continue"/>',
    );
    /** Varnish leaves out a footer that takes longer than a second, as it may on a busy machine. */
    const showsFooter = (platform: string, headers?: Record<string, string>) =>
      vi.waitFor(async () => {
        const footer = load(await open(varnish.origin, headers))('body > #footer > footer[data-fragment="footer"]');
        expect(footer.attr()).toMatchObject({ "data-site": "CH_FR", "data-platform": platform });
      }, 10 * second);
    await showsFooter("CLASSIC");
    await showsFooter("MATCH", { Cookie: "platform=smartphone" });
  });
});
