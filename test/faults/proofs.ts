import { databaseFaults } from "./database-faults.ts";
import { killUnderLoad } from "./kill-under-load.ts";
import type { Proof } from "./proof.ts";
import { upstreamFaults } from "./upstream-faults.ts";

/** Every proof, in the order in which they run. */
export const proofs: readonly Proof[] = [killUnderLoad, upstreamFaults, databaseFaults];
