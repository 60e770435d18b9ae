import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { load } from "cheerio";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { second } from "../../client/rules/time.ts";
import { findSites } from "../../server/sites/countries.ts";
import { askPrometheus } from "./ask-prometheus.ts";
import { composeFolder, readCompose } from "./read-compose.ts";
import { type Stack, scrapeEachSecond, startStack } from "./start-stack.ts";
import { type Visit, visit } from "./visit.ts";

const services = readCompose();
const signUps = "/service/newsletter/api/internal/newsletter-subscribers";
const replicas = ["storefront-1", "storefront-2"];

describe("the file", () => {
  it("is what docker-compose takes", () => {
    execFileSync("docker-compose", ["--file", `${composeFolder}/compose.yaml`, "config", "--quiet"]);
  });

  it("pins each image that isn't built", () => {
    const images = Object.values(services).map(({ image }) => image);
    expect(images.filter((image) => image !== "storefront-fragments" && !/:v?\d+\.\d+(\.\d+)?$/.test(image))).toEqual(
      [],
    );
  });

  it("lets nothing listen on other networks than this machine's", () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toContain("127.0.0.1:8080:8080");
    expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
  });

  it("mounts what there is", () => {
    const mounts = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((text) => text.split(":")[0] ?? ""),
    );
    const files = mounts.filter((source) => source.startsWith("."));
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !existsSync(join(composeFolder, file)))).toEqual([]);
  });

  it("gives Grafana the dashboard and the Prometheus that there are", () => {
    const read = (path: string) => parse(readFileSync(join(composeFolder, "grafana", path), "utf8"));
    const [source] = read("datasources/prometheus.yaml").datasources;
    expect(new URL(source.url)).toMatchObject({ hostname: "prometheus", port: "9090" });
    const [provider] = read("dashboards/storefront.yaml").providers;
    const mounts = services.grafana?.volumes?.map((text) => text.split(":")) ?? [];
    const [file = ""] = mounts.find(([, target = ""]) => dirname(target) === provider.options.path) ?? [];
    const { uid, panels } = JSON.parse(readFileSync(resolve(composeFolder, file), "utf8"));
    expect([basename(file), uid, panels.length > 0]).toEqual(["storefront.json", "storefront", true]);
    expect(mounts.map(([, target]) => target)).toContain(
      services.grafana?.environment?.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH,
    );
  });
});

describe("its parts, started without containers", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ files: scrapeEachSecond });
  }, 60_000);
  afterAll(() => stack?.stop());

  const ask = (asked: Visit) => visit(stack.addressOf("varnish"), asked);
  const shopOf = (site: string) => `${site.toLowerCase().replace("_", "-")}.localhost`;

  it.each(findSites("countries"))("show the demo shop of %s, with the footer that Varnish includes", async (site) => {
    const url = `http://${shopOf(site)}:8080/`;
    const { status, body } = await ask({ url });
    expect(status).toBe(200);
    expect(load(body)(`body > #footer > footer[data-fragment="footer"][data-site="${site}"]`)).toHaveLength(1);
    expect(load(body)(`a[href="http://${shopOf("TR")}:8080/"]`).length).toBeGreaterThan(0);
    const onPhone = await ask({ url, headers: { Cookie: "platform=smartphone" } });
    expect(load(onPhone.body)('footer[data-platform="MATCH"]')).toHaveLength(1);
    const fromOrigin = await visit(stack.addressOf("pages"), { url });
    expect(fromOrigin.body).toContain(`<esi:include src="/fragments/footer/${site}?assets=none" onerror="continue"/>`);
  });

  it("take a sign-up, and send its mail to the mail catcher, whose link confirms", async () => {
    const email = "ada@shop.example";
    const headers = { "Content-Type": "application/json", Origin: "http://de.localhost:8080", "X-hunter-csrf": "1" };
    const signUp = await ask({
      url: `http://de.localhost:8080${signUps}`,
      method: "POST",
      headers,
      body: JSON.stringify({ email }),
    });
    expect(signUp.status).toBe(202);
    const nextMail = (count: number) =>
      vi.waitUntil(
        () => stack.mailpit.mails.filter(({ to }) => to?.some(({ address }) => address === email))[count],
        10 * second,
      );
    const [link = ""] =
      /http:\/\/de\.localhost:8080\/newsletter\/confirm\S+/.exec((await nextMail(0)).text ?? "") ?? [];
    const page = load((await ask({ url: link })).body);
    const form = page('form[action^="/newsletter/confirm"]');
    expect(form).toHaveLength(1);
    const fields = new URLSearchParams(form.serializeArray().map(({ name, value }) => [name, value]));
    const confirmed = await ask({
      ...{ url: new URL(form.attr("action") ?? "", link).href, method: "POST", body: fields.toString() },
      headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: "http://de.localhost:8080" },
    });
    expect(confirmed.status).toBe(303);
    await nextMail(1);
  });

  it("purge one country, as the replicas alone may", async () => {
    const ages = async () =>
      Object.fromEntries(
        await Promise.all(
          ["DE", "AT"].map(async (site) => {
            const { headers } = await ask({ url: `http://de.localhost:8080/fragments/footer/${site}` });
            // A hit names the request that has fetched the copy, too.
            return [site, headers["x-varnish"]?.toString().split(" ").length === 2];
          }),
        ),
      );
    await ages();
    expect(await ages()).toEqual({ DE: true, AT: true });
    const headers = { "Surrogate-Key": "country-DE" };
    const stranger = { url: "http://de.localhost:8080/", method: "PURGE", headers, from: "127.3.3.3" };
    expect((await ask(stranger)).status).toBe(403);

    const vcl = readFileSync(join(stack.fileOf("varnish", "/tmp"), "edge.vcl"), "utf8");
    expect(vcl, "as the recipe is filled in").toContain('acl purgers { "127.0.0.1"; "127.0.0.1"; }');
    await waitingPurge("country-DE");
    const replica = stack.programOf("storefront-2");
    await replica.stop("SIGKILL");
    await replica.start();
    await vi.waitFor(async () => expect(await ages()).toEqual({ DE: false, AT: true }), {
      timeout: 10 * second,
      interval: 100,
    });
  });

  it("are watched by Prometheus, with every rule", async () => {
    const { groups } = await askPrometheus(stack.addressOf("prometheus"), "rules");
    const rules = parse(readFileSync("deploy/prometheus/alerts.yml", "utf8"));
    expect(groups.map(({ name }) => name).sort()).toEqual(
      rules.groups.map(({ name }: { name: string }) => name).sort(),
    );
    const healthOf = async () => {
      const { activeTargets } = await askPrometheus(stack.addressOf("prometheus"), "targets");
      return activeTargets.map(({ health, labels }) => [labels.job, labels.instance, health]);
    };
    const expected = replicas.map((name) => ["storefront", `${stack.addressOf(name)}:9464`, "up"]);
    await vi.waitFor(async () => expect(await healthOf()).toEqual(expected), { timeout: 10 * second, interval: 100 });
  });

  /** Lets a purge wait, as if the half minute were over for which it does. */
  async function waitingPurge(key: string) {
    const client = new Client({ connectionString: new URL("storefront", stack.postgres.url).href });
    await client.connect();
    await client.query("insert into purge (id, attempts, next_attempt_at, created_at) values ($1, 0, 0, 0)", [key]);
    await client.end();
  }
});
