import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { noticesOf } from "../../deploy/build/licences.ts";
import { loadOwnShop, writeShop } from "../support/write-shop.ts";

const read = (file: string) => readFile(file, "utf8");
const sbom = JSON.parse(await read("dist/sbom.json"));
const bundles: { packages: string[] }[] = JSON.parse(await read("dist/bundles.json"));

/** The packages named in the server's source maps and in the report on the browser's files. */
const maps = await Promise.all(globSync("dist/{server,countries}/**/*.js.map").map(read));
const sources: string[] = maps.flatMap((map) => JSON.parse(map).sources);
const bundled = new Set([
  ...sources.flatMap((source) => /.*node_modules\/(?!src\/)((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []),
  ...bundles.flatMap(({ packages }) => packages),
  "@iconify-json/tabler",
  // Their own source maps name files outside of their packages.
  ...["fast-copy", "saxes", "xmlchars"],
]);

describe("the packages in the build", () => {
  it("are listed with their licences in CycloneDX 1.6, alike for equal builds", async () => {
    const components: { group?: string; name: string }[] = sbom.components;
    const names = components.map(({ group, name }) => (group ? `${group}/${name}` : name));
    expect([...new Set(names)].sort()).toEqual([...bundled].sort());
    const { version } = JSON.parse(await read("node_modules/react/package.json"));
    const react = { purl: `pkg:npm/react@${version}`, licenses: [{ license: { id: "MIT" } }] };
    expect(components).toContainEqual(expect.objectContaining(react));
    expect(JSON.stringify(sbom)).not.toMatch(/timestamp|serialNumber/);

    const folder = "test/node_modules/@cyclonedx/cyclonedx-library/res/schema";
    const schema = async (name: string) => JSON.parse(await read(join(folder, `${name}.SNAPSHOT.schema.json`)));
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const name of ["spdx", "jsf-0.82"])
      ajv.addSchema(await schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    const validate = ajv.compile(await schema("bom-1.6"));
    expect(validate(sbom), JSON.stringify(validate.errors)).toBe(true);
  });

  it("bring the texts of their licences", async () => {
    const notices = (await read("dist/THIRD-PARTY-NOTICES.txt")).split(`\n${"-".repeat(80)}\n\n`);
    const names = notices.flatMap((notice) => /^\S+/.exec(notice)?.[0] ?? []);
    expect([...new Set(names)].sort()).toEqual([...bundled].sort());
    const grants = /Permission is hereby granted|Permission to use|Redistribution and use|Apache License|Blue Oak/i;
    for (const notice of notices) expect(notice).toMatch(grants);
  });

  it("have their licences beside each script, which names the file, and beside the sprite, a shop's own included", async () => {
    const scripts = globSync("dist/assets/*.js");
    const legal = await Promise.all(
      scripts.map(async (file) => {
        const [, name] = /\/\*! Licenses: (\S+) \*\/\n$/.exec(await read(file)) ?? [];
        return name ? read(join("dist/assets", name)) : "";
      }),
    );
    for (const name of new Set(bundles.flatMap(({ packages }) => packages)))
      expect(legal.join("\n"), name).toMatch(new RegExp(`^${name} \\d.*\\n\\n.*(?:Copyright|MIT)`, "m"));

    const sprite = await read(globSync("dist/assets/icons-*.svg")[0] ?? "");
    const icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M0 0"/></svg>';
    const { assets } = await loadOwnShop(await writeShop({ "icons/heart.svg": icon }));
    for (const source of [sprite, String([...assets.made.values()][0])]) {
      const [, name = ""] = /<!-- Licenses: (\S+) -->/.exec(source) ?? [];
      expect(await read(join("dist/assets", basename(name)))).toContain("Paweł Kuna");
    }
  });

  it("stop the build where a licence isn't allowed", async () => {
    const lock: Record<string, { license?: string }> = JSON.parse(await read("package-lock.json")).packages;
    const [folder] = Object.entries(lock).find(([, { license }]) => license === "MPL-2.0") ?? [];
    const output = { bytes: 1, imports: [], exports: [], inputs: { [`${folder}/index.js`]: { bytesInOutput: 1 } } };
    await expect(noticesOf({ "main.js": output })).rejects.toThrow(/the licence MPL-2.0 isn't allowed/);
  });
});
