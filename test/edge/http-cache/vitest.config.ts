import { defineConfig } from "vitest/config";
import { installPackages } from "../../install-packages.ts";
import { installFolder } from "../../support/install-folder.ts";

installPackages();
installFolder("test/edge/http-cache");

/**
 * Tests the caches of the recipes with a suite that waits for copies to age. `npm test` leaves it out, with its
 * packages.
 */
export default defineConfig({
  test: {
    name: "caches",
    include: ["test/edge/http-cache/**/*.test.ts"],
    globalSetup: ["test/edge/find-edges.ts"],
    testTimeout: 120_000,
  },
});
