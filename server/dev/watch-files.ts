import { watch } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Milliseconds } from "../../client/rules/time.ts";

/** A folder, and which of the files below it count. */
export interface Watched {
  folder: string;
  /** @param path - relative to the folder */
  counts(path: string): boolean;
}

/** Editors save in several steps, such as writing another file and renaming it. */
const quiet: Milliseconds = 40;

/**
 * Watches files until the process ends.
 * @param onSave - called at the first sign of a change
 * @param apply - called at once, and again with the paths of all changes when there have been no more for a moment: one
 * call after the other
 */
export function watchFiles(watched: readonly Watched[], onSave: () => void, apply: (files: string[]) => Promise<void>) {
  const changed = new Set<string>();
  let isApplying = false;
  for (const { folder, counts } of watched)
    watch(folder, { recursive: true, ignore: (path) => !counts(path) }, (_event, path) => {
      if (path === null || !counts(path)) return;
      changed.add(path);
      onSave();
      if (!isApplying) void applyAll();
    });
  void applyAll();

  async function applyAll() {
    isApplying = true;
    do {
      for (let before = -1; before < changed.size; await pause(quiet)) before = changed.size;
      const files = [...changed];
      changed.clear();
      await apply(files);
    } while (changed.size > 0);
    isApplying = false;
  }
}
