import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeBrowser } from "./fake-browser.ts";
import { activity, due, minute, pass, startClock } from "./fake-clock.ts";
import { writePayload, writeToken } from "./write-token.ts";

let browser: FakeBrowser;

beforeEach(() => {
  startClock();
  vi.spyOn(Math, "random").mockReturnValue(1);
  browser = new FakeBrowser();
});
afterEach(() => void vi.useRealTimers());

describe("a check", () => {
  it("comes every three minutes with a token, and every ten seconds without", async () => {
    browser.cookies.LoginToken = writeToken({ ren: 179, exp: 1800 });
    browser.open();
    await pass(179_999);
    expect(browser.renewals).toBe(0);
    await pass(1);
    expect(browser.renewals).toBe(1);

    browser.cookies = {};
    await pass(180_000);
    browser.cookies.LoginToken = writeToken(due);
    await pass(9_999);
    expect(browser.renewals).toBe(1);
    await pass(1);
    expect(browser.renewals).toBe(2);
  });

  it.each(activity)("comes with activity: %s", async (type) => {
    browser.cookies.LoginToken = writeToken({ ren: 30, exp: 1800 });
    const tab = browser.open();
    await pass(30_000);
    expect(browser.renewals).toBe(0);
    tab.do(type);
    await pass();
    expect(browser.renewals).toBe(1);
  });

  it("doesn't come with other events", async () => {
    browser.cookies.LoginToken = writeToken({ ren: 30, exp: 1800 });
    const tab = browser.open();
    await pass(30_000);
    tab.do("mousemove", "focus", "resize", "offline");
    await pass();
    expect(browser.renewals).toBe(0);
  });

  it("asks once, however much happens before the answer", async () => {
    browser.cookies.LoginToken = writeToken(due);
    const answer = Promise.withResolvers<Response>();
    browser.answer = () => answer.promise;
    const tab = browser.open();
    tab.do(...activity, "online");
    tab.hide();
    tab.show();
    await pass(10_000);
    tab.do(...activity, "online");
    answer.resolve(browser.renew(""));
    await pass();
    expect(browser.renewals).toBe(1);
  });

  it.each([
    ["no token", ""],
    ["a cookie that is no token", "not.a.token"],
    ["a token without times", writePayload({})],
  ])("of %s asks for nothing, and goes on every ten seconds", async (_name, text) => {
    browser.cookies.LoginToken = text;
    const tab = browser.open();
    tab.do(...activity, "online");
    await pass(10 * minute);
    expect(browser.requests).toEqual([]);
    browser.cookies.LoginToken = writeToken(due);
    await pass(10_000);
    expect(browser.renewals).toBe(1);
  });

  it.each(["smartphone", "tablet"])("asks for nothing on a %s", async (platform) => {
    browser.cookies = { platform, LoginToken: writeToken(due) };
    const tab = browser.open();
    tab.do(...activity, "online");
    await pass(9 * minute);
    expect(browser.requests).toEqual([]);
  });
});

describe("a hidden tab", () => {
  it("pauses its timer, and checks when it is shown again", async () => {
    browser.cookies.LoginToken = writeToken({ ren: 60, exp: 1800 });
    const tab = browser.open();
    tab.hide();
    expect(vi.getTimerCount()).toBe(0);
    tab.do(...activity, "online");
    await pass(10 * minute);
    expect(browser.requests).toEqual([]);
    tab.show();
    await pass();
    expect(browser.renewals).toBe(1);
    expect(vi.getTimerCount()).toBe(1);
  });

  it("that was opened in the background asks for nothing until it is shown", async () => {
    browser.cookies.LoginToken = writeToken(due);
    const tab = browser.open({ hidden: true });
    await pass(5 * minute);
    expect(browser.requests).toEqual([]);
    tab.show();
    await pass();
    expect(browser.renewals).toBe(1);
  });

  it("looks for a token only when it is shown", async () => {
    const tab = browser.open({ hidden: true });
    await pass(5 * minute);
    expect(vi.getTimerCount()).toBe(0);
    tab.show();
    expect(vi.getTimerCount()).toBe(1);
  });

  it("takes in the answer to what it asked before", async () => {
    browser.cookies.LoginToken = writeToken(due);
    const answer = Promise.withResolvers<Response>();
    browser.answer = () => answer.promise;
    const tab = browser.open();
    await pass();
    tab.hide();
    answer.resolve(browser.renew(""));
    await pass();
    expect(vi.getTimerCount()).toBe(0);
    tab.show();
    await pass();
    expect(browser.renewals).toBe(1);
    expect(vi.getTimerCount()).toBe(1);
  });
});

describe("after sleep", () => {
  it.each([
    ["while it is to be renewed", 20, 1],
    ["when it has ended", 40, 0],
  ])("a session is looked at by the first activity: %s", async (_name, minutes, times) => {
    browser.cookies.LoginToken = writeToken({ ren: 600, exp: 1800 });
    const tab = browser.open();
    // Timers stand still while the device sleeps.
    vi.setSystemTime(Date.now() + minutes * minute);
    tab.do("touchstart");
    await pass();
    expect(browser.renewals).toBe(times);
    expect(vi.getTimerCount()).toBe(times);
  });
});

describe("offline", () => {
  it("nothing is asked for, and the session goes on when the network is back", async () => {
    browser.cookies.LoginToken = writeToken({ ren: -60, exp: 3600 });
    browser.online = false;
    const tab = browser.open();
    tab.do(...activity);
    await pass(10 * minute);
    expect(browser.requests).toEqual([]);
    browser.online = true;
    tab.do("online");
    await pass();
    expect(browser.renewals).toBe(1);
    expect(vi.getTimerCount()).toBe(1);
  });

  it("a failed call is made again at once when the network is back", async () => {
    browser.cookies.LoginToken = writeToken(due);
    browser.answer = () => Promise.reject(new TypeError("Failed to fetch"));
    const tab = browser.open();
    await pass();
    browser.answer = ({ path }) => browser.renew(path);
    tab.do("online");
    await pass();
    expect(browser.renewals).toBe(2);
    expect(vi.getTimerCount()).toBe(1);
  });
});
