/**
 * Tries what the service promises under attacks, faults and load. `npm test` runs the short form; `npm run prove` the
 * long one, which takes about an hour and writes a report to docs/reports/. PROOF_SEED repeats what a report was drawn
 * from, and `-t` picks a proof:
 *
 *   npm run prove -- -t kill
 *
 * The short form of those that measure no times runs beside other tests: `short-forms/`.
 */
import { contentProofs, endProofs, requestProofs, timingProofs } from "./proofs.ts";
import { isShort, runProofs } from "./run-proofs.ts";

const all = [...requestProofs, ...endProofs, ...contentProofs, ...timingProofs];
runProofs(isShort ? timingProofs.filter(({ isLong }) => !isLong) : all);
