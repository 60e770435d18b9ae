import { cacheInterference } from "../fuzz/cache-interference.ts";
import { canaries } from "../fuzz/canaries.ts";
import { fuzzRequests } from "../fuzz/fuzz-requests.ts";
import { sendMalformed } from "../fuzz/send-malformed.ts";
import { databaseFaults } from "./database-faults.ts";
import { everythingAtOnce } from "./everything-at-once.ts";
import { killUnderLoad } from "./kill-under-load.ts";
import { liveStack } from "./live-stack.ts";
import { overload } from "./overload-proof.ts";
import type { Proof } from "./proof.ts";
import { rollingRestart } from "./rolling-restart.ts";
import { slowSockets } from "./slow-sockets.ts";
import { upstreamFaults } from "./upstream-faults.ts";

/** Every proof, in the order in which they run. */
export const proofs: readonly Proof[] = [
  fuzzRequests,
  sendMalformed,
  cacheInterference,
  canaries,
  slowSockets,
  killUnderLoad,
  rollingRestart,
  databaseFaults,
  upstreamFaults,
  everythingAtOnce,
  liveStack,
  // The last one, as it leaves one processor to the programs that load the service.
  overload,
];
