import type { TestProject } from "vitest/node";
import { findOrInstall } from "../support/debian-packages.ts";

declare module "vitest" {
  interface ProvidedContext {
    nginxPath: string;
    varnishPath: string;
  }
}

/** Runs once before tests with edges. Throws if an edge is missing and can't be installed, so that the run fails. */
export function setup(project: TestProject): void {
  project.provide("nginxPath", findOrInstall("nginx", "-v", "nginx-light"));
  project.provide("varnishPath", findOrInstall("varnishd", "-V", "varnish"));
}
