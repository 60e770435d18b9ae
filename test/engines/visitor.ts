import { vi } from "vitest";
import type { Driver, Key } from "./driver.ts";

type Read<Result, Value> = (element: HTMLElement, value: Value) => Result;

/**
 * The actions of a visitor in the browser's window, and what the visitor sees. Each waits until its element is there.
 */
export interface Visitor {
  /** Shows an address in the whole window. */
  open(address: string): Promise<void>;
  /** Shows an address as wide as a phone, in a frame, because some windows can't be that narrow. */
  openOnPhone(address: string): Promise<void>;
  /** Where the visitor is. */
  address(): Promise<string>;
  /**
   * Reads the first visible element that matches a selector.
   * @param read - runs in the page
   * @param value - its second argument
   * @returns the result of `read`; undefined if no element is visible
   */
  look<Result, Value>(selector: string, read: Read<Result, Value>, value?: Value): Promise<Result | undefined>;
  /** The text of an element; undefined when none is shown. */
  text(selector: string): Promise<string | undefined>;
  isShown(selector: string): Promise<boolean>;
  /** Whether the focused element matches a selector. */
  hasFocus(selector: string): Promise<boolean>;
  click(selector: string): Promise<void>;
  /** Types into a field, replacing its text. */
  write(selector: string, text: string): Promise<void>;
  /** Sets the value of a field that can't be typed into alike in every browser, such as a date. */
  choose(selector: string, value: string): Promise<void>;
  type(text: string): Promise<void>;
  press(...keys: Key[]): Promise<void>;
  /** Scrolls to an island, wakes it as a focus would, and waits until it is hydrated. */
  wake(island: string): Promise<void>;
}

interface Place {
  x: number;
  y: number;
}

/** How long something may take to be there. */
const patience = { timeout: 10_000, interval: 20 };

export function createVisitor(driver: Driver, phonePage: (address: string) => string): Visitor {
  async function look<Result, Value>(selector: string, read: Read<Result, Value>, value?: Value) {
    const [named, given] = [selector, value].map((parameter) => JSON.stringify(parameter));
    const seen = await driver.evaluate(`(${lookAtFirst})(${named}, ${read}, ${given})`);
    return (seen ?? undefined) as Result | undefined;
  }

  /** Uses an element as soon as there is one. */
  function use<Result, Value>(selector: string, read: Read<Result | undefined, Value>, value?: Value): Promise<Result> {
    return vi.waitFor(async () => {
      const seen = await look(selector, read, value);
      if (seen === undefined) throw new Error(`There is no ${selector} to use.`);
      return seen;
    }, patience);
  }

  async function click(selector: string) {
    let before: Place | undefined;
    await vi.waitFor(async () => {
      const place = await look(selector, placeOf);
      const rests = place && place.x === before?.x && place.y === before.y;
      before = place;
      if (!rests) throw new Error(`There is no ${selector} to click on that has come to rest.`);
    }, patience);
    if (before) await driver.clickAt(before.x, before.y);
  }

  return {
    open: driver.goto,
    openOnPhone: (address) => driver.goto(phonePage(address)),
    address: () => use("html", (root) => root.baseURI),
    look,
    click,
    text: (selector) => look(selector, (element) => element.innerText),
    isShown: async (selector) => (await look(selector, () => true)) ?? false,
    hasFocus: async (selector) => (await look(`:is(${selector}):focus`, () => true)) ?? false,
    async write(selector, text) {
      await click(selector);
      await look(selector, (field) => (field as HTMLInputElement).select());
      await driver.type(text);
    },
    async choose(selector, value) {
      await use(selector, setValue, value);
    },
    type: driver.type,
    async press(...keys) {
      for (const key of keys) await driver.press(key);
    },
    async wake(island) {
      await use(island, (element) => {
        element.scrollIntoView({ block: "center", behavior: "instant" });
        const { islandState } = element.dataset;
        if (islandState === "idle") element.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
        return islandState === "ready" || undefined;
      });
    },
  };
}

/** Runs in the page: reads the first visible element. */
function lookAtFirst(selector: string, read: Read<unknown, unknown>, value: unknown) {
  const frame = document.querySelector<HTMLIFrameElement>("iframe[data-phone]");
  const page = frame?.contentDocument ?? document;
  const first = [...page.querySelectorAll<HTMLElement>(selector)].find((element) =>
    element.checkVisibility({ visibilityProperty: true }),
  );
  return first && read(first, value);
}

/**
 * Runs in the page: returns the middle of an element. Scrolls to one that is out of view or covered, for the next
 * attempt.
 */
function placeOf(element: HTMLElement): Place | undefined {
  const [box = new DOMRect()] = element.getClientRects();
  const place = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
  if (element.contains(element.ownerDocument.elementFromPoint(place.x, place.y))) return place;
  element.scrollIntoView({ block: "center", behavior: "instant" });
  return undefined;
}

/** Runs in the page: sets a field as browsers do when they fill it in. */
function setValue(field: HTMLElement, value: string) {
  const { prototype } = field.tagName === "SELECT" ? HTMLSelectElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
  for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
  return true;
}
