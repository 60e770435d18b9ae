/**
 * Tries what the service promises under attacks, faults and load. `npm test` runs the short form; `npm run prove` the
 * long one, which takes about an hour and writes a report to docs/reports/. PROOF_SEED repeats what a report was drawn
 * from, and `-t` picks a proof:
 *
 *   npm run prove -- -t kill
 */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { hour, minute } from "../../client/rules/time.ts";
import { cacheInterference } from "../fuzz/cache-interference.ts";
import { canaries } from "../fuzz/canaries.ts";
import { fuzzRequests } from "../fuzz/fuzz-requests.ts";
import { hostileContents } from "../fuzz/hostile-contents.ts";
import { sendMalformed } from "../fuzz/send-malformed.ts";
import { stopProcesses } from "../support/start-process.ts";
import { databaseFaults } from "./database-faults.ts";
import { killUnderLoad } from "./kill-under-load.ts";
import { overload } from "./overload.ts";
import type { Proof } from "./proof.ts";
import { randomVisitors } from "./random-visitors.ts";
import { rollOut } from "./roll-out.ts";
import { rollingRestart } from "./rolling-restart.ts";
import { slowSockets } from "./slow-sockets.ts";
import { storms } from "./storms.ts";
import { type ProofResult, writeReport } from "./write-report.ts";

/** Every proof, in the order in which they run. */
const proofs: readonly Proof[] = [
  fuzzRequests,
  sendMalformed,
  cacheInterference,
  canaries,
  hostileContents,
  slowSockets,
  killUnderLoad,
  rollingRestart,
  rollOut,
  databaseFaults,
  randomVisitors,
  storms,
  // The last one, as it leaves one processor to the programs that load the service.
  overload,
];

const longForm = 1;
const shortForm = 0.02;
const scale = Number(process.env.PROOF_SCALE ?? shortForm);
const seed = Number(process.env.PROOF_SEED ?? Date.now() % 1_000_000);
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
  if (scale > shortForm) console.log(await writeReport(results, { seed, scale }));
});

describe("the service holds", () => {
  it.each(proofs.filter(({ isLong }) => scale > shortForm || !isLong))(
    "$name",
    async (proof) => {
      const result: ProofResult = { proof, figures: [], seconds: 0 };
      results.push(result);
      const started = performance.now();
      try {
        result.figures = await proof.run({ seed, scale, ...programs });
      } finally {
        result.seconds = (performance.now() - started) / 1_000;
      }
      if (scale > shortForm) console.table(result.figures);
      expect(result.figures.filter(({ ok }) => !ok)).toEqual([]);
      expect(result.figures).not.toEqual([]);
    },
    scale < longForm ? 15 * minute : hour,
  );
});
