import { requestProofs } from "../proofs.ts";
import { runProofs } from "../run-proofs.ts";

runProofs(requestProofs);
