import { existsSync } from "node:fs";
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
  const files = ["Dockerfile", "examples/new-shop/Dockerfile", ".github/workflows/check.yml"];
  const sources = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const images = sources.flatMap((source) => source.match(/(?<=^(?:FROM|\s+image:) )node:\S+/gm));
  const pinned = new RegExp(`^node:${packageJson.devDependencies.node}-[a-z]+@sha256:[0-9a-f]{64}$`);
  expect(images).toEqual(files.map(() => expect.stringMatching(pinned)));
});

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
