import { expect as waitAndExpect } from "playwright/test";
import { type Milliseconds, second } from "../../client/rules/time.ts";

/** The maximum time that a test waits for a page: on a busy machine, pages take many times as long. */
export const patience: Milliseconds = 20 * second;

/** Playwright's `expect`, with that patience. */
export const expect = waitAndExpect.configure({ timeout: patience });
