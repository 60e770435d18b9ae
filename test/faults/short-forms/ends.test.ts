import { endProofs } from "../proofs.ts";
import { runProofs } from "../run-proofs.ts";

runProofs(endProofs);
