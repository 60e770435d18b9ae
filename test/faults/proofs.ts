import { cacheInterference } from "../fuzz/cache-interference.ts";
import { canaries } from "../fuzz/canaries.ts";
import { fuzzRequests } from "../fuzz/fuzz-requests.ts";
import { hostileContents } from "../fuzz/hostile-contents.ts";
import { sendMalformed } from "../fuzz/send-malformed.ts";
import { databaseFaults } from "./database-faults.ts";
import { groupsBehindEdges } from "./groups-behind-edges.ts";
import { killUnderLoad } from "./kill-under-load.ts";
import { killWhileCodesGo } from "./kill-while-codes-go.ts";
import { overload } from "./overload.ts";
import type { Proof } from "./proof.ts";
import { randomVisitors } from "./random-visitors.ts";
import { rollOut } from "./roll-out.ts";
import { rollingRestart } from "./rolling-restart.ts";
import { slowSockets } from "./slow-sockets.ts";
import { storms } from "./storms.ts";

/** Proofs about what requests can't do. */
export const requestProofs: readonly Proof[] = [
  fuzzRequests,
  sendMalformed,
  cacheInterference,
  canaries,
  groupsBehindEdges,
  randomVisitors,
];

/** Proofs that nothing is lost when a process ends. */
export const endProofs: readonly Proof[] = [killUnderLoad, killWhileCodesGo, rollingRestart, rollOut];

/** Proofs about what contents can't do. The bounds of their times leave room for other work on the machine. */
export const contentProofs: readonly Proof[] = [hostileContents];

/** The proofs that measure times, which other work on the machine would change. */
export const timingProofs: readonly Proof[] = [
  databaseFaults,
  slowSockets,
  storms,
  // The last one, because it reserves one processor for the programs that load the service.
  overload,
];
