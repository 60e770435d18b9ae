import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import type { Engine } from "./test/engines/find-engine.ts";
import { installPackages } from "./test/install-packages.ts";
import { SlowestFiles } from "./test/support/slowest-files.ts";

installPackages();

/** What of the shop's suites asks the store for nothing that others don't: it needn't be tried on each database. */
const withoutStore = [
  "{login,preview}-routes",
  "{compose-mail,mail-worker,mailbox,sign-up-mails,*-transport}",
  "{password-hash,states,sqlite*}",
];

/**
 * Fast suites first: the browser ones start when the others have passed. The files that one worker runs share what they
 * import, so what a file changes outside itself it sets back. Those of the shop that ask the store run on each database.
 */
export default defineConfig({
  test: {
    // On two processors Vitest would take one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ["default", new SlowestFiles()],
    projects: [
      {
        test: {
          name: "server",
          include: ["test/{bench,build,client,countries,docs,locales,schemas,server,spec}/**/*.test.{ts,tsx}"],
          setupFiles: ["test/support/fail-on-console.ts", "test/support/close-stores.ts"],
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "postgres",
          include: ["test/postgres/**/*.test.ts", "test/server/shop/**/*.test.ts"],
          exclude: withoutStore.map((names) => `test/server/shop/**/${names}.test.ts`),
          globalSetup: ["test/postgres/global-setup.ts"],
          setupFiles: [
            "test/support/fail-on-console.ts",
            "test/postgres/use-postgres.ts",
            "test/support/close-stores.ts",
          ],
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "edge",
          include: ["test/{deploy,edge}/**/*.test.ts"],
          setupFiles: ["test/support/close-stores.ts"],
          globalSetup: ["test/edge/global-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "proof",
          include: ["test/faults/**/*.test.ts"],
          globalSetup: ["test/postgres/global-setup.ts", "test/edge/global-setup.ts"],
          setupFiles: ["test/support/close-stores.ts"],
          // By itself, as it measures times.
          sequence: { groupOrder: 3 },
        },
      },
      browserProject("browser", "test/browser"),
      engineProject("firefox"),
      engineProject("webkit"),
    ],
  },
});

/** Tests in browsers. A worker loads the service and starts its browser once for all of its files. */
function browserProject(name: string, folder: string, provide = {}): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: [`${folder}/**/*.test.ts`],
      setupFiles: ["test/support/close-stores.ts"],
      globalSetup: [`${folder}/global-setup.ts`],
      isolate: false,
      provide,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 10_000 } },
      sequence: { groupOrder: 4 },
      maxWorkers: 2,
    },
  };
}

/** The journeys of visitors in another engine. */
function engineProject(engine: Engine): TestProjectInlineConfiguration {
  return browserProject(engine, "test/engines", { engine });
}
