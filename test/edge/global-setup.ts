import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { installDebianPackages } from "../support/debian-packages.ts";
import { tailorPackages } from "./start-composers.ts";

declare module "vitest" {
  interface ProvidedContext {
    nginxPath: string;
    varnishPath: string;
    promtoolPath: string;
  }
}

/** Runs once before the edge tests; throws, and so fails the run, when a program is missing and can't be installed. */
export function setup(project: TestProject): void {
  project.provide("nginxPath", findOrInstall("nginx", "-v", "nginx-light"));
  project.provide("varnishPath", findOrInstall("varnishd", "-V", "varnish"));
  project.provide("promtoolPath", findOrInstall("promtool", "--version", "prometheus"));
  findOrInstall("docker-compose", "--version", "docker-compose");
  installPackages(tailorPackages);
  installPackages("test/deploy/kubernetes");
}

/** Returns the path of a program, which Debian has a package of. */
function findOrInstall(program: string, ask: string, debianPackage: string): string {
  const find = () =>
    [program, `/usr/sbin/${program}`, `/usr/local/bin/${program}`].find((path) => spawnSync(path, [ask]).status === 0);
  const path = find() ?? (installDebianPackages(debianPackage) ? find() : undefined);
  if (!path) throw new Error(`The edge tests need ${program}, which could not be installed (${debianPackage}).`);
  return path;
}

/** Installs what a few tests need beside the product's packages, which it would outnumber. */
function installPackages(folder: string): void {
  if (existsSync(`${folder}/node_modules`)) return;
  const options = ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  if (spawnSync("npm", options, { stdio: "inherit" }).status !== 0)
    throw new Error(`The edge tests need the packages of ${folder}, which could not be installed.`);
}
