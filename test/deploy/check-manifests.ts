import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** An object of Kubernetes, of which the tests need to know no more. */
export interface Manifest {
  apiVersion: string;
  kind: string;
}

/** The folder whose packages have the schemas of Kubernetes. */
export const schemaPackages = "test/deploy/kubernetes";

/**
 * Checks objects by the published schemas of Kubernetes: their values by the validators that are made of them, and by
 * the types that are made of them that each field is known, as `kubectl` does.
 * @returns what is wrong, by the object's kind
 */
export async function findManifestFaults(manifests: readonly Manifest[]): Promise<string[]> {
  const wrongValues = await Promise.all(manifests.map(findWrongValues));
  return [...wrongValues.flat(), ...findUnknownFields(manifests)];
}

async function findWrongValues({ apiVersion, kind, ...fields }: Manifest): Promise<string[]> {
  const path = resolve(schemaPackages, "node_modules/kubernetes-models", apiVersion, `${kind}.js`);
  const { [kind]: Model } = await import(path);
  try {
    new Model(fields).validate();
    return [];
  } catch (error) {
    return [`${kind}: ${error instanceof Error ? error.message : error}`];
  }
}

/** TypeScript refuses a field that a type doesn't have where an object is written out. */
function findUnknownFields(manifests: readonly Manifest[]): string[] {
  const folder = mkdtempSync(join(schemaPackages, "node_modules", ".check-"));
  const files = manifests.map((manifest, index) => {
    const { apiVersion, kind } = manifest;
    const name = `${kind}-${index}.ts`;
    const code = `import type { I${kind} } from "kubernetes-models/${apiVersion}/${kind}";
export const manifest: I${kind} = ${JSON.stringify(manifest)};\n`;
    writeFileSync(join(folder, name), code);
    return name;
  });
  const options = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--target",
    "esnext",
    "--module",
    "nodenext",
    "--types",
    "",
  ];
  try {
    execFileSync(resolve("node_modules/.bin/tsc"), [...options, ...files], { cwd: folder, encoding: "utf8" });
    return [];
  } catch (error) {
    const said = error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
    return said.split("\n").filter((line) => line.includes("error TS"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
