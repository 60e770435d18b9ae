/**
 * Judges the output of `npm audit --json` by the packages of the build, and exits with 1 if one of them has an advisory
 * without a statement in vex.json. Advisories of packages that no built file contains don't count.
 *
 *   npm audit --json > audit.json; node deploy/release/judge-audit.ts audit.json
 */
import { readFileSync } from "node:fs";

/** Version 2 of npm's report: each package's advisories, and where it is installed. */
interface Audit {
  auditReportVersion?: number;
  message?: string;
  vulnerabilities?: Record<string, { via: (string | Advisory)[]; nodes: string[] }>;
}

interface Advisory {
  title: string;
  severity: string;
  /** The URL of GitHub's advisory, which ends with its id. */
  url: string;
}

/** A CycloneDX document: its statements about the advisories. */
interface Vex {
  vulnerabilities: { id: string; analysis: { state: string; detail?: string }; affects: { ref: string }[] }[];
}

interface Inventory {
  components: { purl: string }[];
}

interface Lock {
  packages: Record<string, { version: string }>;
}

/** The states of https://cyclonedx.org/docs/1.6/json/#vulnerabilities_items_analysis_state that require no action. */
const harmless = ["not_affected", "false_positive"];

/**
 * Finds the advisories of bundled packages without a statement, and the statements about packages that are no longer
 * bundled. A statement is valid for the versions that it names.
 * @returns a line for each
 * @throws Error if the audit has no report
 */
function judgeAudit(audit: Audit, lock: Lock, { components }: Inventory, { vulnerabilities }: Vex): string[] {
  if (audit.auditReportVersion !== 2 || !audit.vulnerabilities)
    throw new Error(`npm audit has given no report: ${audit.message ?? "its output has another format"}`);
  const bundled = new Set(components.map(({ purl }) => purl));
  const isAnswered = (id: string, purl: string) =>
    vulnerabilities.some(
      ({ id: stated, analysis: { state, detail }, affects }) =>
        stated === id && harmless.includes(state) && detail && affects.some(({ ref }) => ref === purl),
    );
  const open = Object.entries(audit.vulnerabilities).flatMap(([name, { via, nodes }]) => {
    const purls = new Set(nodes.map((node) => `pkg:npm/${name.replace("@", "%40")}@${lock.packages[node]?.version}`));
    const advisories = via.filter((cause) => typeof cause !== "string");
    return [...purls]
      .filter((purl) => bundled.has(purl))
      .flatMap((purl) =>
        advisories
          .filter(({ url }) => !isAnswered(idOf(url), purl))
          .map(({ title, severity, url }) => `${purl}: ${severity}, ${title} (${url})`),
      );
  });
  const outdated = vulnerabilities.flatMap(({ id, affects }) =>
    affects
      .filter(({ ref }) => !bundled.has(ref))
      .map(({ ref }) => `vex.json: ${id} names ${ref}, which isn't bundled`),
  );
  return [...open, ...outdated];
}

/** Returns the id at the end of an advisory's URL. */
const idOf = (url: string) => url.replace(/.*\//, "");

if (import.meta.main) {
  const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
  const [report = ""] = process.argv.slice(2);
  try {
    const faults = judgeAudit(read(report), read("package-lock.json"), read("dist/sbom.json"), read("vex.json"));
    for (const fault of faults) console.error(fault);
    if (faults.length > 0) process.exitCode = 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
