import { spawnSync } from "node:child_process";
import type { TestProject } from "vitest/node";
import { installDebianPackages } from "../support/debian-packages.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Which engine the tests run in. */
    engine: Engine;
  }
}

/** Runs once before the tests of an engine. Throws if the engine can't be installed, so that the run fails. */
export function setup(project: TestProject): void {
  findEngine(project.getProvidedContext().engine);
}

/** The engines beside Chromium. */
export type Engine = keyof typeof programs;

/** The programs of each engine, by their Debian packages. The first program drives the engine. */
const programs = {
  firefox: { "firefox-esr": "firefox-esr" },
  webkit: { "webkit2gtk-driver": "WebKitWebDriver", xvfb: "Xvfb", openbox: "openbox" },
};

/**
 * Finds the programs of an engine, or installs them.
 * @throws Error when they can't be installed, so that no run passes without its engine
 */
function findEngine(engine: Engine): void {
  const missing = () => Object.entries(programs[engine]).filter(([, program]) => !isThere(program));
  const packages = missing().map(([name]) => name);
  if (packages.length > 0) installDebianPackages(...packages);
  const still = missing().map(([, program]) => program);
  if (still.length === 0) return;
  throw new Error(
    `The tests in ${engine} need ${still.join(", ")}, which could neither be found nor installed ` +
      `(packages of Debian's: ${packages.join(", ")}). Without them, run the others: npx vitest run --project '!${engine}'.`,
  );
}

function isThere(program: string): boolean {
  return spawnSync("which", [program]).status === 0;
}
