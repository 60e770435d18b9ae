import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import type { Engine } from "./test/engines/global-setup.ts";
import { installPackages } from "./test/install-packages.ts";

installPackages();

// Without it, every SQLite thread loads Node's TypeScript stripper again, and takes three times as long to start.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "node-compile-cache");

/** The server's suites that execute SQL. They run on both databases. */
const withStore = [
  "{accounts,store}/**/*",
  "features/newsletter/{embedded,mail,webhook}/**/*",
  "features/newsletter/erase-address",
  "features/{login,preview}/{embedded,oidc}/**/*",
  "features/{promotion,abtests,customer,asset-archive,edge-purges}/**/*",
  "oidc/backchannel-logout",
  "commands/import-shop",
];

/** Suites in these folders whose SQL other suites already run. */
const withoutStore = [
  "upstream",
  "{compose-mail,example-receivers,imported-hashes,mail-worker,mailboxes,sign-in-load,*-transport,sqlite*}",
  "accounts/move-accounts",
  "features/{login,preview}/oidc/{several-logins,sign-in}",
  "features/{login,preview}/embedded/{preview-page-routes,routes,share}",
  "features/edge-purges/forms/forms",
];

/** The proofs whose short form measures times that other tests would change. */
const timingProofs = "test/faults/proofs.test.ts";

/**
 * The time in milliseconds after which a test counts as hanging. Some build a shop or start several services, on a
 * machine that may be busy.
 */
const patience = 120_000;

/** The projects in the order in which they start. The last but one has many short files, for the end of the run. */
const projects: TestProjectInlineConfiguration[] = [
  // Beside the suites of the server, which use the processors while these proofs wait. Those that measure memory
  // measure that of their own process.
  proofProject("attack", {
    include: ["test/faults/**/*.test.ts"],
    exclude: [timingProofs],
  }),
  browserProject("browser", "test/browser"),
  {
    test: {
      name: "edge",
      // As in a recipe's own folder.
      alias: { "@storefront-fragments/client": `${import.meta.dirname}/packages/client/index.ts` },
      include: ["test/deploy/**/*.test.ts", "test/edge/*.test.ts"],
      setupFiles: ["test/support/close-stores.ts"],
      globalSetup: ["test/edge/find-edges.ts", "test/edge/global-setup.ts", "test/browser/global-setup.ts"],
      testTimeout: patience,
      hookTimeout: patience,
    },
  },
  engineProject("firefox"),
  engineProject("webkit"),
  {
    test: {
      name: "postgres",
      include: ["test/postgres/**/*.test.ts", ...withStore.map((suite) => `test/server/${suite}.test.ts`)],
      exclude: withoutStore.map((names) => `test/server/**/${names}.test.ts`),
      globalSetup: ["test/postgres/global-setup.ts"],
      setupFiles: ["test/support/fail-on-console.ts", "test/postgres/use-postgres.ts", "test/support/close-stores.ts"],
      isolate: false,
      testTimeout: patience,
      hookTimeout: patience,
    },
  },
  {
    test: {
      name: "server",
      include: ["test/{build,client,countries,docs,locales,packages,schemas,server,spec}/**/*.test.{ts,tsx}"],
      setupFiles: ["test/support/fail-on-console.ts", "test/support/close-stores.ts"],
      isolate: false,
      testTimeout: patience,
      hookTimeout: patience,
    },
  },
  // Alone, once all others have ended, because they measure times.
  proofProject("proof", { include: [timingProofs], sequence: { groupOrder: 1 } }),
];

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) => projects.findIndex(({ test }) => test?.name === project.name);
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

/**
 * All projects but the last run side by side, the longest files of each first: while some wait, others keep the
 * processors busy to the end. The files of one worker share their imports, so each file must undo what it changes
 * outside itself.
 */
export default defineConfig({
  test: {
    // Two more than the processors, because many tests wait for processes that they have started.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: InOrder },
    projects,
  },
});

/** Proofs, in their short form unless PROOF_SCALE is set. */
function proofProject(name: string, own: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      globalSetup: ["test/postgres/global-setup.ts", "test/browser/global-setup.ts", "test/edge/find-edges.ts"],
      setupFiles: ["test/support/close-stores.ts"],
      ...own,
    },
  };
}

/** Tests in browsers. A worker loads the service and starts its browser once, for all of its files. */
function browserProject(name: string, folder: string, provide = {}): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: [`${folder}/**/*.test.ts`],
      setupFiles: ["test/support/close-stores.ts"],
      globalSetup: [`${folder}/global-setup.ts`],
      isolate: false,
      provide,
      testTimeout: patience,
      hookTimeout: patience,
      expect: { poll: { timeout: 20_000 } },
    },
  };
}

/** The journeys of visitors in another engine. One is repeated only if its browser has stopped for good. */
function engineProject(engine: Engine): TestProjectInlineConfiguration {
  const { test } = browserProject(engine, "test/engines", { engine });
  return { test: { ...test, retry: { count: 1, condition: /^the browser has stopped$/ } } };
}
