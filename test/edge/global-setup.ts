import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { installDebianPackages } from "../support/debian-packages.ts";
import { tailorPackages } from "./node-recipes.ts";

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
  installTailor();
}

/** Gives the path of a program of Debian's. */
function findOrInstall(program: string, ask: string, debianPackage: string): string {
  const find = () =>
    [program, `/usr/sbin/${program}`, `/usr/local/bin/${program}`].find((path) => spawnSync(path, [ask]).status === 0);
  const path = find() ?? (installDebianPackages(debianPackage) ? find() : undefined);
  if (!path) throw new Error(`The edge tests need ${program}, which could not be installed (${debianPackage}).`);
  return path;
}

/** Installs Tailor beside the product's packages, which it would outnumber. */
function installTailor(): void {
  if (existsSync(`${tailorPackages}/node_modules`)) return;
  const options = ["ci", "--prefix", tailorPackages, "--ignore-scripts", "--no-audit", "--no-fund"];
  if (spawnSync("npm", options, { stdio: "inherit" }).status !== 0)
    throw new Error(`The edge tests need the packages of ${tailorPackages}, which could not be installed.`);
}
