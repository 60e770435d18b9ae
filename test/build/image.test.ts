import { existsSync, globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { afterAll, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { productionOrigins } from "../support/production-variables.ts";
import { builtService, startProcess, stopProcesses } from "../support/start-process.ts";

afterAll(stopProcesses);

const dockerfile = await readFile("Dockerfile", "utf8");

it("the image is built of files that are there, and that its context lets through", async () => {
  const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) => names.split(" "));
  const context = (await readFile(".dockerignore", "utf8")).trim().split("\n");
  expect(sources.filter((source) => !existsSync(source))).toEqual([]);
  expect(context).toEqual(["*", ...sources.map((source) => `!${source}`)]);
});

it("the images of Node are pinned, and of the version that the tests run on", async () => {
  const files = ["Dockerfile", "examples/new-shop/Dockerfile", ...globSync(".github/workflows/*.yml")];
  const pinned = new RegExp(`^node:${packageJson.devDependencies.node}-[a-z]+@sha256:[0-9a-f]{64}$`);
  for (const file of files) {
    const images = (await readFile(file, "utf8")).match(/(?<=^(?:FROM|\s+image:) )node:\S+/gm) ?? [];
    expect(images.length, file).toBeGreaterThan(0);
    for (const image of images) expect(image, file).toMatch(pinned);
  }
});

it.each(["Dockerfile", "deploy/compose/compose.yaml", "docs/go-live.md"])(
  "%s names the image with the version of this release",
  async (file) => {
    const names = /(?<=docker (?:build|run) .*|image: |ghcr\.io\/\S*\/)storefront-fragments[^\s`]*/g;
    const named = (await readFile(file, "utf8")).match(names) ?? [];
    expect(new Set(named)).toEqual(new Set([`storefront-fragments:${packageJson.version}`]));
  },
);

it("the image starts the service with the words of npm start", () => {
  const [, ...words] = builtService;
  const inImage = words.map((word) => word.replace("dist/", ""));
  expect(dockerfile).toContain(`CMD ${JSON.stringify(["node", ...inImage]).replaceAll(",", ", ")}`);
  expect(packageJson.scripts.start).toBe(`node build.mjs --start && exec node ${words.join(" ")}`);
});

it("the image's user is a number, as Kubernetes starts nothing by name that must not be root", () => {
  expect(dockerfile).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
});

it("the service starts with the environment in which the workflow tries the image", async () => {
  const variables = parseEnv(await readFile(".github/production.env", "utf8"));
  await startProcess({ NODE_ENV: "production", ...productionOrigins, ...variables }).port;
});
