/** The keys that tests press. */
export type Key = "Backspace" | "Enter" | "Escape" | "Shift+Tab" | "Tab";

/** What the window shows of a page. */
export const windowSize = { width: 1280, height: 900 };

/** A browser with one window, driven by its keyboard and mouse. */
export interface Driver {
  /** Shows an address, and waits until it has loaded. */
  goto(address: string): Promise<void>;
  /** Gives the value of an expression of the page's script. */
  evaluate(expression: string): Promise<unknown>;
  /** Takes a picture of the window, as PNG. */
  picture(): Promise<Uint8Array>;
  /** Clicks at a place of the page. */
  clickAt(x: number, y: number): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** Removes the cookies of the site that is shown. */
  removeCookies(): Promise<void>;
  /** Starts another browser in place of one that has stopped for good. Returns whether it had. */
  replaceIfStopped?(): Promise<boolean>;
  close(): Promise<void>;
}

export interface BrowserOptions {
  /** Whether pages may run scripts. Those of the tests always may. */
  scripting: boolean;
}
