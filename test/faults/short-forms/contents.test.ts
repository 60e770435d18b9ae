import { contentProofs } from "../proofs.ts";
import { runProofs } from "../run-proofs.ts";

runProofs(contentProofs);
