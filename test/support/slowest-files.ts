import type { Reporter, TestModule } from "vitest/node";

const shown = 10;

/** Prints the files of all projects that took longest, when everything has run. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const timed = modules.map((module) => ({
      name: `${module.project.name} ${module.relativeModuleId}`,
      seconds: secondsOf(module),
    }));
    const slowest = timed.toSorted((one, other) => other.seconds - one.seconds).slice(0, shown);
    console.log(`\n The slowest files of ${modules.length}, in seconds:`);
    for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)}  ${name}`);
  }
}

/** What a file took of a worker's time. */
function secondsOf(module: TestModule): number {
  const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
  const parts = [prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration];
  return parts.reduce((sum, part) => sum + part) / 1_000;
}
