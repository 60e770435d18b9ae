import { spawnSync } from "node:child_process";
import type { TestProject } from "vitest/node";
import { installDebianPackages } from "../support/debian-packages.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of nginx. */
    nginxPath: string;
  }
}

/** Runs once before the edge tests; throws, and so fails the run, when there is no nginx. */
export function setup(project: TestProject): void {
  const path = findNginx() ?? (installDebianPackages("nginx-light") ? findNginx() : undefined);
  if (!path) throw new Error("The edge tests need nginx, and it could neither be found nor installed (nginx-light).");
  project.provide("nginxPath", path);
}

function findNginx(): string | undefined {
  return ["nginx", "/usr/sbin/nginx", "/usr/local/bin/nginx"].find((path) => spawnSync(path, ["-v"]).status === 0);
}
