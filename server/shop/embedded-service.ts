import type { Router } from "express";
import type { Job } from "../drain.ts";

/** What every embedded service has beside its callers' interface. */
export interface EmbeddedService {
  /** The routes that answer its calls below /service. */
  routes: Router[];
  /** The jobs that it does by itself, not yet started. */
  jobs: Job[];
}
