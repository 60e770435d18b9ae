import { build } from "esbuild";

/** The globals that the upkeep of a session uses. */
const globals = ["document", "navigator", "localStorage", "fetch", "addEventListener"];
const clock = ["setTimeout", "clearTimeout", "performance", "Date", "AbortSignal"];

const { outputFiles } = await build({
  entryPoints: ["client/features/session/keep-session.ts"],
  bundle: true,
  write: false,
  format: "iife",
  globalName: "upkeep",
});

/**
 * Starts the upkeep of a session in a tab, as browsers load it. Its arguments are the tab's globals, in the order of
 * `globals` and `clock`.
 */
export const startUpkeep = Function(...globals, ...clock, `${outputFiles[0]?.text}; upkeep.keepSession();`);
