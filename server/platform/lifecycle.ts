/** Whether the process accepts requests. Written by the start, the drain and the watch of the store. */
export interface Readiness {
  state: "starting" | "ready" | "draining";
  /** Whether the database answers, if there is one. The service is ready without it: footers don't need it. */
  store?: "up" | "down";
}

/** A resource that the process opens, and closes before it exits. */
export interface Resource {
  /** Resolves when its current work is done. It starts no more work once the service is no longer ready. */
  idle?(): Promise<void>;
  close(): Promise<void>;
}

/** Background work of the service, from its start until it is closed. */
export interface Job extends Resource {
  start(): Promise<void> | void;
}

/** Starts jobs one after the other. Each is a resource from its start on, even if that fails. */
export async function startJobs(jobs: readonly Job[], resources: Resource[]): Promise<void> {
  for (const job of jobs) {
    resources.push(job);
    await job.start();
  }
}
