import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Figure, Proof } from "./proof.ts";

export interface ProofResult {
  proof: Proof;
  /** None where the proof has thrown. */
  figures: Figure[];
  seconds: number;
}

const folder = "docs/reports";

/**
 * Writes the measurements of the proofs for people to read. A second report of a day replaces the first.
 * @returns path of the report
 */
export async function writeReport(
  results: readonly ProofResult[],
  { seed, scale }: { seed: number; scale: number },
): Promise<string> {
  const date = new Date().toISOString().slice(0, 10);
  const commit = git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain") ? ", with changes" : "");
  const machine = `Node ${process.version}, ${cpus().length} cores of ${cpus()[0]?.model.trim() ?? "unknown"}`;
  const isPassed = results.every(hasPassed);
  const lines = [
    `# ${isPassed ? "Every figure is within its bound" : "Figures are out of bounds"}: ${date}`,
    "",
    `Commit ${commit}. ${machine}. \`PROOF_SEED=${seed} PROOF_SCALE=${scale}\`; 1 is the long form.`,
    "",
    ...results.flatMap(sectionOf),
  ];
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${date}.md`);
  await writeFile(file, lines.join("\n"));
  return file;
}

function hasPassed({ figures }: ProofResult): boolean {
  return figures.length > 0 && figures.every(({ ok }) => ok);
}

function sectionOf(result: ProofResult): string[] {
  const { proof, figures, seconds } = result;
  const rows = figures.map(({ name, value, bound, ok }) => [name, value, bound, ok ? "pass" : "**fail**"]);
  return [
    `## ${proof.name}: ${hasPassed(result) ? "pass" : "fail"}`,
    "",
    `${proof.does} It took ${Math.round(seconds)} s.`,
    "",
    ...(rows.length > 0 ? ["| Figure | Value | Bound | |", "|---|---|---|---|"] : ["It could not be done."]),
    ...rows.map((cells) => `| ${cells.map(cellOf).join(" | ")} |`),
    "",
  ];
}

function cellOf(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}

function git(...words: string[]): string {
  return execFileSync("git", words, { encoding: "utf8" }).trim();
}
