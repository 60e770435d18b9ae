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

describe("a session", () => {
  it("is renewed when it is time, by the login service's call", async () => {
    browser.cookies.LoginToken = writeToken(due);
    browser.open();
    await pass();
    expect(browser.requests).toEqual([
      {
        path: "/service/login/api/v1/logintoken/renew",
        init: {
          method: "POST",
          headers: { "Content-Type": "application/json", "X-hunter-csrf": "1" },
          body: "{}",
          redirect: "error",
          signal: expect.any(AbortSignal),
        },
      },
    ]);
  });

  it.each([
    ["is renewed", 201],
    ["is renewed for the last time", 200],
  ])("of a long-term login %s together with that, whatever comes of it", async (_name, status) => {
    browser.cookies.LoginToken = writeToken({ ...due, lid: "1" });
    browser.answer = ({ path }) =>
      path.includes("longterm") ? Promise.reject(new TypeError()) : browser.renew(path, status);
    browser.open();
    await pass();
    expect(browser.requests.map(({ path }) => path)).toEqual([
      "/service/login/api/v1/logintoken/renew",
      "/service/login/api/v1/longtermtoken/renew",
    ]);
    expect(browser.requests[1]?.init).toMatchObject({ method: "POST", headers: { "X-hunter-csrf": "1" } });
    expect(browser.requests[1]?.init).not.toHaveProperty("body");
  });

  it("of a long-term login that isn't renewed leaves that as it is", async () => {
    browser.cookies.LoginToken = writeToken({ ...due, lid: "1" });
    browser.answer = () => new Response(null, { status: 401 });
    browser.open();
    await pass();
    expect(browser.requests).toHaveLength(1);
  });

  it("is renewed time and again while the page is shown", async () => {
    browser.cookies.LoginToken = writeToken(due);
    browser.open();
    await pass(121 * minute);
    expect(browser.renewals).toBe(1 + 10);
  });

  it.each([
    ["a second before it is to be renewed", { ren: 1, exp: 600 }, 0],
    ["at the second it is to be renewed", { ren: 0, exp: 600 }, 1],
    ["in its last second", { ren: -60, exp: 1 }, 1],
    ["when it has ended", { ren: -60, exp: 0 }, 0],
  ])("is asked for %s: %o, %i times", async (_name, token, times) => {
    browser.cookies.LoginToken = writeToken(token);
    browser.open();
    await pass(999);
    expect(browser.renewals).toBe(times);
  });
});

describe("after a check", () => {
  it.each([
    ["0, renewed", due, 201, true],
    ["1, renewed for the last time", due, 200, false],
    ["3, unknown to the service", due, 401, false],
    ["4, not needed", { ren: 600, exp: 1800 }, 201, true],
    ["5, expired", { ren: -60, exp: -1 }, 201, false],
  ])("with outcome %s, timer and listeners are as they should be", async (_name, token, status, goesOn) => {
    browser.cookies.LoginToken = writeToken(token);
    browser.answer = ({ path }) => (status === 401 ? new Response(null, { status }) : browser.renew(path, status));
    const tab = browser.open();
    await pass();
    const asked = browser.renewals;
    expect(vi.getTimerCount()).toBe(goesOn ? 1 : 0);
    expect(tab.listened.sort()).toEqual(
      [...lifecycle, ...(goesOn ? [...activity, "visibilitychange", "online"] : [])].sort(),
    );

    browser.cookies.LoginToken = writeToken(due);
    tab.do(...activity, "visibilitychange", "online");
    await pass();
    expect(browser.renewals - asked).toBe(goesOn ? 1 : 0);
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ["2, a server error", () => new Response(null, { status: 500 })],
    ["2, a gateway's error", () => new Response("<h1>", { status: 503 })],
    ["a throttled call", () => new Response(null, { status: 429 })],
    ["a failed call", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["no answer", () => new Promise(() => {})],
  ])(
    "with outcome %s, the timer stops silently, and activity tries again when the pause is over",
    async (_name, answer) => {
      browser.cookies.LoginToken = writeToken({ ren: -60, exp: 3600 });
      browser.answer = answer;
      const tab = browser.open();
      await pass(15_000);
      expect(browser.renewals).toBe(1);
      expect(vi.getTimerCount()).toBe(0);
      expect(browser.cookies).toHaveProperty("LoginToken");

      tab.do(...activity);
      await pass(29_000);
      tab.do(...activity);
      expect(browser.renewals).toBe(1);
      browser.answer = ({ path }) => browser.renew(path);
      await pass(1000);
      tab.do("click");
      await pass();
      expect(browser.renewals).toBe(2);
      expect(vi.getTimerCount()).toBe(1);
    },
  );

  it("every later failure makes a longer pause, a success the next one short again", async () => {
    browser.cookies.LoginToken = writeToken({ ren: -60, exp: 86_400 });
    browser.answer = () => new Response(null, { status: 500 });
    const tab = browser.open();
    await pass();
    const attempts = async (seconds: number) => {
      const before = browser.renewals;
      for (let second = 0; second < seconds; second += 1) {
        await pass(1000);
        tab.do("scroll", "click");
        await pass();
      }
      return browser.renewals - before;
    };
    expect(await attempts(30 + 60 + 120 + 240 + 480 + 900)).toBe(6);
    browser.answer = ({ path }) => browser.renew(path);
    await attempts(900);
    browser.cookies.LoginToken = writeToken({ ren: -60, exp: 86_400 });
    browser.answer = () => new Response(null, { status: 500 });
    expect(await attempts(31)).toBe(2);
  });

  it("that was answered as renewed, but without a newer token, none follows at once", async () => {
    browser.cookies.LoginToken = writeToken(due);
    browser.answer = () => new Response("{}", { status: 201 });
    const tab = browser.open();
    await pass();
    tab.do(...activity, ...activity);
    await pass();
    expect(browser.renewals).toBe(1);
  });
});
