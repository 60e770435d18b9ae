import type { TestProject } from "vitest/node";
import { findBrowser } from "./find-browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of the browser's executable. */
    browserPath: string;
  }
}

/** Runs once before the browser tests; throws, and so fails the run, when there is no Chromium. */
export function setup(project: TestProject): void {
  project.provide("browserPath", findBrowser());
}
