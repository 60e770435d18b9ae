import { defineConfig } from "vitest/config";
import { installPackages } from "../install-packages.ts";

installPackages();

/** Tests the host pages. `npm test` leaves them out, with their packages. */
export default defineConfig({
  test: {
    name: "hosts",
    include: ["test/hosts/**/*.test.ts"],
    globalSetup: ["test/browser/global-setup.ts", "test/hosts/global-setup.ts"],
    setupFiles: ["test/support/close-stores.ts"],
    expect: { poll: { timeout: 10_000 } },
  },
});
