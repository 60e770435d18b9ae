import type { BundledPackage } from "./find-packages.ts";

/** Writes the licences of packages, each with what is under it. */
export function writeNotices(packages: readonly BundledPackage[]): string {
  const notices = packages.map(
    ({ name, version, license, notice }) => `${name} ${version} (${license})\n\n${notice}\n`,
  );
  return [...new Set(notices)].join(`\n${"-".repeat(80)}\n\n`);
}
