import { globSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it, onTestFinished } from "vitest";
import { packageFolder, readPackage } from "../../deploy/bundled/find-packages.ts";
import { drawOver } from "../../server/images/sprite.ts";

const notices = await readFile("dist/THIRD-PARTY-NOTICES.txt", "utf8");
const sbom = JSON.parse(await readFile("dist/sbom.json", "utf8"));
const bundles: { packages: string[]; files: object }[] = JSON.parse(await readFile("dist/bundles.json", "utf8"));

interface Component {
  group?: string;
  name: string;
  version: string;
}

/** The packages that the built server's source maps and the report on the browser's files name. */
async function bundledPackages(): Promise<Set<string>> {
  const maps = await Promise.all(globSync("dist/{server,countries}/**/*.js.map").map((file) => readFile(file, "utf8")));
  const sources: string[] = maps.flatMap((map) => JSON.parse(map).sources);
  const ofServer = sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
  return new Set([...ofServer, ...bundles.flatMap(({ packages }) => packages), "@iconify-json/tabler"]);
}

describe("the licence notices", () => {
  it("have each package that is built in, with the text of its licence", async () => {
    const found = new Map(notices.split(`\n${"-".repeat(80)}\n\n`).map((notice) => [/^\S+/.exec(notice)?.[0], notice]));
    expect([...found.keys()].sort()).toEqual([...(await bundledPackages())].sort());
    for (const notice of found.values())
      expect(notice).toMatch(
        /Permission is hereby granted|Permission to use|Redistribution and use|Apache License|Blue Oak/,
      );
  });

  it("are named at the end of each script with a package in it, and lie beside it", async () => {
    const legal = globSync("dist/assets/*.js.LEGAL.txt");
    expect(legal).not.toEqual([]);
    for (const file of legal) {
      const script = await readFile(file.replace(".LEGAL.txt", ""), "utf8");
      expect(script).toContain(`/*! Licenses: ${basename(file)} */`);
    }
    const texts = await Promise.all(legal.map((file) => readFile(file, "utf8")));
    for (const name of new Set(bundles.flatMap(({ packages }) => packages)))
      expect(texts.join("\n"), name).toMatch(new RegExp(`^${name} \\d.*\\n\\n.*(?:Copyright|MIT)`, "m"));
  });

  it("are named in the sprite, a shop's own included", async () => {
    const [file = ""] = globSync("dist/assets/icons-*.svg");
    const sprite = await readFile(file, "utf8");
    for (const source of [sprite, drawOver(sprite, { icons: new Map(), flags: new Map() }).source]) {
      const [, named = ""] = /<!-- Licenses: (\S+) -->/.exec(source) ?? [];
      expect(await readFile(join("dist/assets", named), "utf8")).toContain("Paweł Kuna");
    }
  });

  it.each([
    [{ license: "GPL-3.0-only" }, "may a package under GPL-3.0-only be in the bundle?"],
    [{ license: "MIT" }, "there is no text of its licence"],
  ])("stop the build at a package with %o alone", async (description, fault) => {
    const folder = await mkdtemp(join(tmpdir(), "package-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: "pad", version: "1.0.0", ...description }));
    await expect(readPackage(folder)).rejects.toThrow(fault);
  });
});

describe("the list of what is built in", () => {
  it.each([
    ["node_modules/react/index.js", "node_modules/react"],
    ["../../elsewhere/node_modules/@scope/a/node_modules/b/c.js", "node_modules/@scope/a/node_modules/b"],
    ["client/boot.ts", undefined],
  ])("finds the package of %s, wherever packages are linked from", (path, folder) => {
    expect(packageFolder(path)).toBe(folder);
  });

  it("names each package with its version, and is the same for equal builds", async () => {
    const names = sbom.components.map(({ group, name }: Component) => (group ? `${group}/${name}` : name));
    expect([...new Set(names)].sort()).toEqual([...(await bundledPackages())].sort());
    const { version } = JSON.parse(await readFile("node_modules/react/package.json", "utf8"));
    expect(sbom.components).toContainEqual(expect.objectContaining({ purl: `pkg:npm/react@${version}` }));
    expect(JSON.stringify(sbom)).not.toMatch(/timestamp|serialNumber/);
  });

  it("is CycloneDX 1.6", async () => {
    const folder = "test/node_modules/@cyclonedx/cyclonedx-library/res/schema";
    const read = async (name: string) =>
      JSON.parse(await readFile(join(folder, `${name}.SNAPSHOT.schema.json`), "utf8"));
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const name of ["spdx", "jsf-0.82"])
      ajv.addSchema(await read(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    const validate = ajv.compile(await read("bom-1.6"));
    expect(validate(sbom), JSON.stringify(validate.errors)).toBe(true);
  });
});
