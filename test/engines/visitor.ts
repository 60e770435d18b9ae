import { vi } from "vitest";
import type { Driver, Key } from "./driver.ts";

type Read<Result, Value> = (element: HTMLElement, value: Value) => Result;

/** What a visitor does in the browser's window, and sees there. What isn't there yet to be used is waited for. */
export interface Visitor {
  /** Shows an address in the whole window. */
  open(address: string): Promise<void>;
  /** Shows an address as wide as a phone: in a frame, as some windows can't be that narrow. */
  openOnPhone(address: string): Promise<void>;
  /** Where the visitor is. */
  address(): Promise<string>;
  /**
   * Looks at the first element that is shown of those that a selector names.
   * @param read - runs in the page
   * @param value - what it gets beside the element
   * @returns what it reads, undefined when none is shown
   */
  look<Result, Value>(selector: string, read: Read<Result, Value>, value?: Value): Promise<Result | undefined>;
  /** The text of an element; undefined when none is shown. */
  text(selector: string): Promise<string | undefined>;
  isShown(selector: string): Promise<boolean>;
  /** Whether the element that has the focus is of those that a selector names. */
  hasFocus(selector: string): Promise<boolean>;
  click(selector: string): Promise<void>;
  /** Types into a field, in place of what is there. */
  write(selector: string, text: string): Promise<void>;
  /** Chooses the value of a field that is hard to type into alike in every browser, such as a date. */
  choose(selector: string, value: string): Promise<void>;
  type(text: string): Promise<void>;
  press(...keys: Key[]): Promise<void>;
  /** Scrolls to an island, wakes it as the focus does, and waits until it listens. */
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

  /** Does something with an element as soon as there is one. */
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

/** In the page: reads the first element that is shown. */
function lookAtFirst(selector: string, read: Read<unknown, unknown>, value: unknown) {
  const frame = document.querySelector<HTMLIFrameElement>("iframe[data-phone]");
  const page = frame?.contentDocument ?? document;
  const first = [...page.querySelectorAll<HTMLElement>(selector)].find((element) =>
    element.checkVisibility({ visibilityProperty: true }),
  );
  return first && read(first, value);
}

/** In the page: the middle of an element. One that is out of view or covered is scrolled to, to be there next time. */
function placeOf(element: HTMLElement): Place | undefined {
  const [box = new DOMRect()] = element.getClientRects();
  const place = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
  if (element.contains(element.ownerDocument.elementFromPoint(place.x, place.y))) return place;
  element.scrollIntoView({ block: "center", behavior: "instant" });
  return undefined;
}

/** In the page: sets a field as browsers do that fill it in. */
function setValue(field: HTMLElement, value: string) {
  const { prototype } = field.tagName === "SELECT" ? HTMLSelectElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
  for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
  return true;
}
