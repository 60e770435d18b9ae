import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeBrowser } from "./fake-browser.ts";
import { activity, due, lifecycle, minute, pass, startClock } from "./fake-clock.ts";
import { writeToken } from "./write-token.ts";

let browser: FakeBrowser;

beforeEach(() => {
  startClock();
  vi.spyOn(Math, "random").mockReturnValue(1);
  browser = new FakeBrowser();
});
afterEach(() => void vi.useRealTimers());

describe("a page that is left", () => {
  it("aborts its call and stops", async () => {
    browser.cookies.LoginToken = writeToken(due);
    browser.answer = () => new Promise(() => {});
    const tab = browser.open();
    await pass();
    tab.do("pagehide");
    await pass();
    expect(browser.requests[0]?.init.signal?.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    expect(tab.listened.sort()).toEqual(lifecycle);
    expect(browser.channels.size).toBe(0);
  });

  it.each([
    ["was at work", { ren: 60, exp: 3600 }],
    ["had stopped", { ren: -60, exp: -1 }],
  ])("begins anew when it comes back from the back-forward cache: it %s", async (_name, token) => {
    browser.cookies.LoginToken = writeToken(token);
    const tab = browser.open();
    tab.do("pagehide");
    await pass(minute);
    browser.cookies.LoginToken = writeToken(due);
    tab.do("pageshow");
    await pass();
    expect(browser.renewals).toBe(1);
    expect(vi.getTimerCount()).toBe(1);
    expect(tab.listened.sort()).toEqual([...lifecycle, ...activity, "visibilitychange", "online"].sort());
  });

  it("doesn't begin twice when it is shown for the first time", async () => {
    browser.cookies.LoginToken = writeToken(due);
    const tab = browser.open();
    tab.do("pageshow");
    await pass();
    expect(browser.renewals).toBe(1);
    expect(browser.channels.size).toBe(1);
  });
});
