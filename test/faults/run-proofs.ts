import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { hour, minute } from "../../client/rules/time.ts";
import { stopProcesses } from "../support/start-process.ts";
import type { Proof } from "./proof.ts";
import { type ProofResult, writeReport } from "./write-report.ts";

const { PROOF_SCALE, PROOF_SEED } = process.env;
const longForm = 1;
const shortForm = 0.02;
const scale = Number(PROOF_SCALE ?? shortForm);
const seed = Number(PROOF_SEED ?? Date.now() % 1_000_000);

/** Whether `npm test` runs the proofs, and nobody asks for a report. */
export const isShort = PROOF_SCALE === undefined;

/** Adds a test for each proof, which expects its figures within their bounds. The long form writes a report. */
export function runProofs(proofs: readonly Proof[]): void {
  const results: ProofResult[] = [];
  const programs = {
    postgresUrl: inject("postgresUrl"),
    browserPath: inject("browserPath"),
    nginxPath: inject("nginxPath"),
    varnishPath: inject("varnishPath"),
  };

  beforeAll(() => console.log(`PROOF_SEED=${seed}`));
  afterAll(async () => {
    stopProcesses();
    if (!isShort) console.log(await writeReport(results, { seed, scale }));
  });

  /** Runs a proof, and expects its figures within their bounds. */
  async function hold(proof: Proof): Promise<void> {
    const result: ProofResult = { proof, figures: [], seconds: 0 };
    results.push(result);
    const started = performance.now();
    try {
      result.figures = await proof.run({ seed, scale, ...programs });
    } finally {
      result.seconds = (performance.now() - started) / 1_000;
    }
    if (!isShort) console.table(result.figures);
    expect(result.figures.filter(({ ok }) => !ok)).toEqual([]);
    expect(result.figures).not.toEqual([]);
  }

  describe("the service holds", () => {
    const limit = scale < longForm ? 15 * minute : hour;
    const besideOthers = proofs.filter(({ waits }) => isShort && waits);
    it.concurrent.each(besideOthers)("$name", hold, limit);
    it.each(proofs.filter((proof) => !besideOthers.includes(proof)))("$name", hold, limit);
  });
}
