import type { TestProject } from "vitest/node";
import { findBrowser } from "./find-browser.ts";
import type { Engine } from "./launch-browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Which browser the tests run in. */
    engine: Engine;
    /** Path of the browser's executable. */
    browserPath: string;
  }
}

/** Runs once before the browser tests; throws, and so fails the run, when there is no browser. */
export function setup(project: TestProject): void {
  project.provide("browserPath", findBrowser(project.getProvidedContext().engine));
}
