import type { TestProject } from "vitest/node";
import { type Engine, findEngine } from "./find-engine.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Which engine the tests run in. */
    engine: Engine;
  }
}

/** Runs once before the tests of an engine; throws, and so fails the run, when the engine can't be had. */
export function setup(project: TestProject): void {
  findEngine(project.getProvidedContext().engine);
}
