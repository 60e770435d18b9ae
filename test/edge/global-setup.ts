import { spawnSync } from "node:child_process";
import type { TestProject } from "vitest/node";
import { findOrInstall } from "../support/debian-packages.ts";
import { installFolder } from "../support/install-folder.ts";
import { tailorPackages } from "./start-composers.ts";

declare module "vitest" {
  interface ProvidedContext {
    promtoolPath: string;
    canBuildImages: boolean;
  }
}

/** Runs once before the edge tests. Throws if a program is missing and can't be installed, so that the run fails. */
export function setup(project: TestProject): void {
  project.provide("promtoolPath", findOrInstall("promtool", "--version", "prometheus"));
  findOrInstall("docker-compose", "--version", "docker-compose");
  project.provide("canBuildImages", prepareBuildah());
  installFolder(tailorPackages);
  installFolder("test/deploy/kubernetes");
}

/**
 * Installs buildah if this process may mount, which the steps of an image need.
 * @returns whether it may
 * @throws Error if it may not although CI is set, so that no workflow skips the test
 */
function prepareBuildah(): boolean {
  if (spawnSync("unshare", ["--mount", "true"]).status === 0) {
    findOrInstall("buildah", "--version", "buildah");
    findOrInstall("mmdebstrap", "--version", "mmdebstrap");
    return true;
  }
  const reason = "buildah needs root on Linux, in a container also CAP_SYS_ADMIN";
  if (process.env.CI) throw new Error(`The edge tests can't build the image: ${reason}.`);
  console.warn(`tests: SKIPPED test/deploy/image.test.ts, which builds the image: ${reason}`);
  return false;
}
