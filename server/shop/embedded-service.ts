import type { Router } from "express";
import type { Job } from "../drain.ts";

/** What every embedded service gives the shop, beside what its callers use. */
export interface EmbeddedService {
  /** Answer its calls below /service. */
  routes: Router[];
  /** What it does by itself; not yet started. */
  jobs: Job[];
}
