import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import env from "../../schemas/env.schema.json" with { type: "json" };
import { productionOrigins } from "../support/production-variables.ts";
import { startProcess, stopProcesses } from "../support/start-process.ts";

const folder = "deploy/kubernetes";
const read = (file: string) => readFileSync(join(folder, file), "utf8");
const { resources }: { resources: string[] } = parse(read("kustomization.yaml"));
const manifests = resources.flatMap((file) => parseAllDocuments(read(file)).map((part) => part.toJS()));
const deployment = parse(read("deployment.yaml"));
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const compose = parse(readFileSync("deploy/compose/compose.yaml", "utf8"));
const config: { data: Record<string, string> } = parse(read("config-map.yaml"));

/** Longest graceful shutdown: 2 s not ready, 15 s for open requests, and some to exit. */
const leavingSeconds = 2 + 15 + 1;

afterAll(stopProcesses);

it("names every manifest", () => {
  expect(readdirSync(folder).toSorted()).toEqual([...resources, "kustomization.yaml"].toSorted());
});

it("is what the schemas of Kubernetes describe, field by field", () => {
  expect(findFaults(manifests)).toEqual([]);
  const wrong = structuredClone(deployment);
  wrong.spec.template.spec.containers[0].ports[0].containerPort = "http";
  expect(findFaults([wrong])).toEqual([expect.stringContaining("not assignable to type 'number'")]);
});

it("sets variables that exist, and so does compose.yaml", () => {
  const inPods = [...Object.keys(config.data), ...container.env.map(({ name }: { name: string }) => name)];
  const inCompose = Object.keys(compose["x-replica"].environment);
  const isKnown = (name: string) => name in env.properties || /^SITE_ORIGIN_/.test(name);
  expect([...inPods, ...inCompose].filter((name) => !isKnown(name))).toEqual([]);
});

it("has the service's ports wherever one is named", () => {
  const { PORT, OPS_PORT } = env.properties;
  expect(container.ports).toEqual([
    { name: "http", containerPort: PORT.default },
    { name: "ops", containerPort: OPS_PORT.default },
  ]);
  for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"])
    expect(container[probe].httpGet.port, probe).toBe("ops");
  const services = parseAllDocuments(read("service.yaml")).map((part) => part.toJS());
  expect(services.map(({ metadata, spec }) => [metadata.name, spec.ports])).toEqual([
    // As the recipes of deploy/edge/ call it.
    ["fragments", [{ name: "http", port: 3000, targetPort: "http" }]],
    ["fragments-ops", [{ name: "ops", port: OPS_PORT.default, targetPort: "ops" }]],
  ]);
  expect(readFileSync("deploy/edge/varnish.vcl", "utf8")).toContain('.host = "fragments"; .port = "3000"');
  expect(deployment.spec.template.metadata.annotations["prometheus.io/port"]).toBe(String(OPS_PORT.default));
});

it("lets pods reach named addresses and ports alone", () => {
  const { spec } = parse(read("network-policy.yaml"));
  expect(spec.policyTypes).toEqual(["Ingress", "Egress"]);
  const rules: { to: object[]; ports: { port: number }[] }[] = spec.egress;
  for (const { to } of rules) expect(to.length).toBeGreaterThan(0);
  const { PURGE_URL = "" } = config.data;
  const purgePort = Number(new URL(PURGE_URL).port || 80);
  // DNS, PostgreSQL, and SMTP with TLS or STARTTLS.
  expect(rules.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([53, 53, 5432, 465, 587, purgePort]);
});

it("gives a replica time to shut down, and so does compose.yaml", () => {
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(leavingSeconds);
  expect(Number.parseInt(compose["x-replica"].stop_grace_period, 10)).toBeGreaterThan(leavingSeconds);
});

it("starts the service in production, once its reader's own values are filled in", async () => {
  const secrets = mkdtempSync(join(tmpdir(), "secrets-"));
  const keyFile = join(secrets, "secret.key");
  writeFileSync(keyFile, Buffer.alloc(32, 1).toString("base64"));
  const filledIn = Object.entries(config.data).map(([name, value]) => [
    name,
    value.replace("shop.example", "shop.internal"),
  ]);
  const service = startProcess({
    NODE_ENV: "production",
    ...productionOrigins,
    ...Object.fromEntries(filledIn),
    SMTP_URL: "smtps://smtp.shop.internal:465",
    SECRET_KEY_FILE: keyFile,
    // Variables that a pod has by itself, and those in the shop's image.
    SHOP_DIR: ".github/shop",
    HOST: "127.0.0.1",
    DATA_DIR: secrets,
  });
  await expect(service.port).resolves.toBeGreaterThan(0);
  service.signal("SIGKILL");
  await service.ended;
  rmSync(secrets, { recursive: true });
});

/**
 * Checks objects by types that are generated from the published schemas of Kubernetes. In an object literal, TypeScript
 * refuses a field that the type doesn't have.
 */
function findFaults(objects: readonly { apiVersion: string; kind: string }[]): string[] {
  const checked = mkdtempSync("test/deploy/kubernetes/node_modules/.check-");
  const files = objects.map((object, index) => {
    const { apiVersion, kind } = object;
    const code = `import type { I${kind} } from "kubernetes-models/${apiVersion}/${kind}";
export const manifest: I${kind} = ${JSON.stringify(object)};\n`;
    writeFileSync(join(checked, `${index}.ts`), code);
    return `${index}.ts`;
  });
  const options = "--ignoreConfig --noEmit --strict --skipLibCheck --target esnext --module nodenext".split(" ");
  try {
    const words = [...options, "--types", "", ...files];
    execFileSync(resolve("node_modules/.bin/tsc"), words, { cwd: checked, encoding: "utf8" });
    return [];
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
    return output.split("\n").filter((line) => line.includes("error TS"));
  } finally {
    rmSync(checked, { recursive: true });
  }
}
