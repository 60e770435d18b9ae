import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeBrowser } from "./fake-browser.ts";
import { due, minute, pass, startClock } from "./fake-clock.ts";
import { writeToken } from "./write-token.ts";

let browser: FakeBrowser;

beforeEach(() => {
  startClock();
  browser = new FakeBrowser();
});
afterEach(() => void vi.useRealTimers());

describe.each([
  ["with locks", true],
  ["on a page without https, which has no locks", false],
])("several tabs %s", (_name, hasLocks) => {
  beforeEach(() => {
    browser.hasLocks = hasLocks;
    // What each tab waits where there are no locks.
    let waits = 0;
    vi.spyOn(Math, "random").mockImplementation(() => [0.1, 0.4, 0.9][waits++ % 3] ?? 0);
  });

  it("renew once", async () => {
    browser.cookies.LoginToken = writeToken(due);
    const tabs = [browser.open(), browser.open(), browser.open()];
    await pass(5000);
    for (const tab of tabs) tab.do("click");
    await pass(5000);
    expect(browser.renewals).toBe(1);
    expect(vi.getTimerCount()).toBe(3);
  });

  it("renew once at each of their checks", async () => {
    browser.cookies.LoginToken = writeToken(due);
    for (let count = 0; count < 3; count += 1) browser.open();
    await pass(121 * minute);
    expect(browser.renewals).toBe(11);
  });

  it("stop together when the session can't be renewed any more", async () => {
    browser.cookies.LoginToken = writeToken({ ren: 60, exp: 1800 });
    browser.answer = ({ path }) => browser.renew(path, 200);
    const tabs = [browser.open(), browser.open()];
    await pass(3 * minute + 5000);
    expect(browser.renewals).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
    expect(tabs.map(({ listened }) => listened.sort())).toEqual([
      ["pagehide", "pageshow"],
      ["pagehide", "pageshow"],
    ]);
  });
});

describe("another tab", () => {
  beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(1));

  it("learns of a failure, and pauses as well", async () => {
    browser.cookies.LoginToken = writeToken({ ren: -60, exp: 3600 });
    browser.answer = () => new Response(null, { status: 500 });
    const other = browser.open({ hidden: true });
    browser.open();
    await pass();
    other.show();
    await pass(29_000);
    other.do("click");
    await pass();
    expect(browser.renewals).toBe(1);
    await pass(1000);
    other.do("click");
    await pass();
    expect(browser.renewals).toBe(2);
  });

  it("that had stopped begins anew when the session was renewed after all", async () => {
    browser.cookies.LoginToken = writeToken({ ren: -60, exp: -1 });
    const other = browser.open();
    await pass();
    expect(vi.getTimerCount()).toBe(0);
    browser.cookies.LoginToken = writeToken(due);
    browser.open();
    await pass();
    expect(browser.renewals).toBe(1);
    expect(vi.getTimerCount()).toBe(2);
    expect(other.listened).toContain("click");
  });

  it("takes over when the one that renews is closed meanwhile", async () => {
    browser.cookies.LoginToken = writeToken({ ren: -60, exp: 3600 });
    browser.answer = () => new Promise(() => {});
    const first = browser.open();
    await pass();
    const other = browser.open();
    await pass();
    expect(browser.renewals).toBe(1);
    first.do("pagehide");
    browser.answer = ({ path }) => browser.renew(path);
    await pass();
    other.do("keydown");
    await pass();
    expect(browser.renewals).toBe(2);
  });

  it.each([
    ["looks at its cookies", (tab: EventTarget) => tab.dispatchEvent(new Event("click"))],
    ["is left", (tab: EventTarget) => tab.dispatchEvent(new Event("pagehide"))],
  ])("learns of a logout when the one it was done in %s", async (_name, happen) => {
    browser.cookies.LoginToken = writeToken({ ren: 600, exp: 1800 });
    const first = browser.open();
    browser.open();
    await pass();
    browser.cookies = {};
    happen(first);
    await pass();
    // From now on it looks for a new token every ten seconds.
    browser.cookies.LoginToken = writeToken(due);
    first.do("pagehide");
    await pass(9_999);
    expect(browser.renewals).toBe(0);
    await pass(1);
    expect(browser.renewals).toBe(1);
  });

  it("that had stopped isn't woken by a logout", async () => {
    browser.cookies.LoginToken = writeToken({ ren: -60, exp: -1 });
    browser.open();
    await pass();
    browser.cookies.LoginToken = writeToken({ ren: 600, exp: 1800 });
    const first = browser.open();
    browser.cookies = {};
    first.do("click");
    await pass();
    expect(vi.getTimerCount()).toBe(1);
  });

  it("gives up a renewal when it learns of a logout, so that it can't bring the session back", async () => {
    browser.cookies.LoginToken = writeToken(due);
    browser.answer = () => new Promise(() => {});
    const first = browser.open({ hidden: true });
    browser.open();
    await pass();
    expect(browser.requests[0]?.init.signal?.aborted).toBe(false);
    browser.cookies = {};
    first.do("pagehide");
    await pass();
    expect(browser.requests[0]?.init.signal?.aborted).toBe(true);
    await pass(minute);
    expect(browser.requests).toHaveLength(1);
  });

  it("doesn't mind what a stranger says", async () => {
    browser.cookies.LoginToken = writeToken({ ren: 600, exp: 1800 });
    const tab = browser.open();
    const strange = [null, undefined, {}, [], "renewed", 6, { outcome: 1 }];
    for (const channel of browser.channels) {
      for (const data of strange) channel.onmessage?.(new MessageEvent("message", { data }));
    }
    await pass();
    expect(browser.requests).toEqual([]);
    expect(vi.getTimerCount()).toBe(1);
    expect(tab.listened).toContain("click");
  });
});
