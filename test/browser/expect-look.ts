import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import pixelmatch from "pixelmatch";
import type { Locator } from "playwright";
import { PNG } from "pngjs";
import { expect } from "vitest";

/** The pictures that are kept. */
export const keptLooks = join(import.meta.dirname, "looks");

/** Pictures of elements that looked different in the last run. */
export const changedLooks = join(import.meta.dirname, "changed-looks");

/**
 * The tolerated difference between two colours, from 0 to 1: two greys by two of 255 levels, because processors round
 * differently.
 */
const threshold = 0.01;

/** Whether `vitest -u` was used, which replaces the stored pictures of changed looks. */
export function keepsChanges(): boolean {
  return updateState() === "all";
}

/**
 * Whether to store the first picture of a name, as Vitest does for its snapshots outside CI: for example a new
 * country's footer.
 */
function keepsFirst(file: string): boolean {
  return updateState() === "new" && !existsSync(file);
}

function updateState() {
  return expect.getState().snapshotState.snapshotUpdateState;
}

/**
 * Expects an element to look like the stored picture. Waits for motion and late content: a look counts as different
 * only once two consecutive pictures are equal.
 * @param name - of the picture
 * @param mask - a part that isn't compared
 * @throws Error naming a picture in which the differences are marked
 */
export async function expectLook(element: Locator, name: string, mask: Locator[] = []): Promise<void> {
  const file = join(keptLooks, `${name}.png`);
  const kept = existsSync(file) ? PNG.sync.read(await readFile(file)) : new PNG();
  let before: Buffer | undefined;
  for (;;) {
    const taken = await element.screenshot({ animations: "disabled", scale: "device", mask, maskColor: "white" });
    const shown = PNG.sync.read(taken);
    const { pixels, marked } = compare(kept, shown);
    if (pixels === 0) return;
    if (before?.equals(taken)) {
      const keeps = keepsChanges() || keepsFirst(file);
      return keeps ? writePicture(file, shown) : report(name, shown, pixels, marked);
    }
    before = taken;
  }
}

/** Counts and marks the pixels that differ between two pictures. Pixels that only one picture has differ, too. */
function compare(kept: PNG, shown: PNG): { pixels: number; marked: PNG } {
  const width = Math.max(kept.width, shown.width);
  const height = Math.max(kept.height, shown.height);
  const marked = new PNG({ width, height });
  const [before, after] = [enlarge(kept, width, height), enlarge(shown, width, height)];
  return { marked, pixels: pixelmatch(before.data, after.data, marked.data, width, height, { threshold }) };
}

/** Puts a picture on a transparent ground. */
function enlarge(picture: PNG, width: number, height: number): PNG {
  const enlarged = new PNG({ width, height, fill: true });
  PNG.bitblt(picture, enlarged, 0, 0, picture.width, picture.height);
  return enlarged;
}

async function report(name: string, shown: PNG, pixels: number, marked: PNG): Promise<never> {
  const picture = join(changedLooks, `${name}-marked.png`);
  await writePicture(join(changedLooks, `${name}.png`), shown);
  await writePicture(picture, marked);
  throw new Error(
    `${name} looks otherwise: ${pixels} pixels, red in ${relative("", picture)}. ` +
      "Where that is meant, keep it: npx vitest run --project browser test/browser/looks.test.ts -u",
  );
}

async function writePicture(file: string, picture: PNG): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  // Without transparency and filters, which takes a third of PNGJS's default size.
  await writeFile(file, PNG.sync.write(picture, { colorType: 2, filterType: 0, deflateStrategy: 0 }));
}
