import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { firefox, webkit } from "playwright";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import type { Engine } from "./test/browser/launch-browser.ts";

/** Fast suites first: the browser ones start when the others have passed. Those of the shop run on each database. */
export default defineConfig({
  test: {
    // On two processors Vitest would take one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ["default"],
    projects: [
      {
        test: {
          name: "server",
          include: ["test/{build,client,docs,locales,schemas,server}/**/*.test.{ts,tsx}"],
          setupFiles: ["test/support/fail-on-console.ts", "test/support/close-stores.ts"],
          testTimeout: 30_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "postgres",
          include: ["test/postgres/**/*.test.ts", "test/server/shop/**/*.test.ts"],
          exclude: ["test/server/shop/**/sqlite*.test.ts"],
          globalSetup: ["test/postgres/global-setup.ts"],
          setupFiles: [
            "test/support/fail-on-console.ts",
            "test/postgres/use-postgres.ts",
            "test/support/close-stores.ts",
          ],
          testTimeout: 30_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "edge",
          include: ["test/edge/**/*.test.ts"],
          setupFiles: ["test/support/close-stores.ts"],
          globalSetup: ["test/edge/global-setup.ts"],
          testTimeout: 30_000,
          sequence: { groupOrder: 2 },
        },
      },
      browserProject("browser", "chromium", 3),
      ...(existsSync(firefox.executablePath()) ? [browserProject("browser-firefox", "firefox", 4)] : []),
      ...(existsSync(webkit.executablePath()) ? [browserProject("browser-webkit", "webkit", 5)] : []),
    ],
  },
});

/** The same tests in Chromium, which is always there, and in what `npx playwright install firefox webkit` adds. */
function browserProject(name: string, engine: Engine, groupOrder: number): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: ["test/browser/**/*.test.ts"],
      setupFiles: ["test/support/close-stores.ts"],
      globalSetup: ["test/browser/global-setup.ts"],
      // A worker loads the service and starts its browser once for all of its files.
      isolate: false,
      provide: { engine },
      testTimeout: 60_000,
      hookTimeout: 60_000,
      sequence: { groupOrder },
      maxWorkers: 2,
    },
  };
}
