/** Whether the process accepts requests. The start, the drain and the watch of the store write it. */
export interface Readiness {
  state: "starting" | "ready" | "draining";
  /**
   * Whether the database answers, if there is one. The service is ready even if it doesn't, because footers don't need
   * it.
   */
  store?: "up" | "down";
}

/** Something that the process opens, and closes before it exits. */
export interface Resource {
  /** Resolves when its current work is done. It must start no new work once the service isn't ready any more. */
  idle?(): Promise<void>;
  close(): Promise<void>;
}

/** Background work of the service, from its start until it is closed. */
export interface Job extends Resource {
  start(): Promise<void> | void;
}

/** Starts jobs one after the other. A job counts as a resource once its start has begun, even if that fails. */
export async function startJobs(jobs: readonly Job[], resources: Resource[]): Promise<void> {
  for (const job of jobs) {
    resources.push(job);
    await job.start();
  }
}
