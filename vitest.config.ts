import { defineConfig } from "vitest/config";

/** Fast suites first: the browser ones start when the others have passed. */
export default defineConfig({
  test: {
    reporters: ["default"],
    projects: [
      {
        test: {
          name: "server",
          include: ["test/*.test.ts", "test/{server,client}/**/*.test.{ts,tsx}"],
          setupFiles: ["test/fail-on-console.ts"],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "edge",
          include: ["test/edge/**/*.test.ts"],
          globalSetup: ["test/edge/global-setup.ts"],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["test/browser/global-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
          fileParallelism: false,
        },
      },
    ],
  },
});
