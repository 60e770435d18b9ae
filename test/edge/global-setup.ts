import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { findOrInstall } from "../support/debian-packages.ts";
import { tailorPackages } from "./start-composers.ts";

declare module "vitest" {
  interface ProvidedContext {
    promtoolPath: string;
    canBuildImages: boolean;
  }
}

/** Runs once before the edge tests; throws, and so fails the run, when a program is missing and can't be installed. */
export function setup(project: TestProject): void {
  project.provide("promtoolPath", findOrInstall("promtool", "--version", "prometheus"));
  findOrInstall("docker-compose", "--version", "docker-compose");
  project.provide("canBuildImages", prepareBuildah());
  installPackages(tailorPackages);
  installPackages("test/deploy/kubernetes");
}

/**
 * Installs buildah if this process may mount, without which it can't run the steps of an image.
 * @returns whether it may
 * @throws Error if it may not and CI is set, so that no workflow skips the test
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

/** Installs what a few tests need beside the product's packages, which it would outnumber. */
function installPackages(folder: string): void {
  if (existsSync(`${folder}/node_modules`)) return;
  const options = ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  if (spawnSync("npm", options, { stdio: "inherit" }).status !== 0)
    throw new Error(`The edge tests need the packages of ${folder}, which could not be installed.`);
}
