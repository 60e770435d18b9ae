import type { BundledPackage } from "./find-packages.ts";

/** What of package-lock.json is read. */
export interface LockFile {
  packages: Record<string, { integrity?: string }>;
}

interface Product {
  name: string;
  version: string;
  description: string;
  license: string;
}

/**
 * Lists what is in the bundle, in CycloneDX 1.6. It holds no time and no random id, so equal builds have equal bytes.
 * @throws Error naming a package that the lock file doesn't have
 */
export function createSbom(product: Product, packages: readonly BundledPackage[], lock: LockFile) {
  const components = packages.map((bundled) => [packageUrl(bundled), componentOf(bundled, lock)] as const);
  const { name, version, description, license } = product;
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": name, name, version, description, licenses: licensesOf(license) },
    },
    // Two folders may hold the same package.
    components: [...new Map(components).values()],
  };
}

function componentOf(bundled: BundledPackage, lock: LockFile) {
  const { folder, name, version, license } = bundled;
  const [group, ownName] = name.startsWith("@") ? name.split("/") : [undefined, name];
  const purl = packageUrl(bundled);
  const { integrity } = lock.packages[folder] ?? {};
  if (!integrity) throw new Error(`package-lock.json: there is no integrity of ${folder}`);
  const [algorithm, digest = ""] = integrity.split("-");
  if (algorithm !== "sha512") throw new Error(`package-lock.json: the integrity of ${folder} isn't SHA-512`);
  return {
    type: "library",
    "bom-ref": purl,
    ...(group && { group }),
    name: ownName,
    version,
    hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
    licenses: licensesOf(license),
    purl,
  };
}

/** The address of a package of npm's, by the rules of package URLs. */
function packageUrl({ name, version }: BundledPackage): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function licensesOf(id: string) {
  return [{ license: { id } }];
}
