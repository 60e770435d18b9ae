import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { activity, closeTab, due, FakeTab, minute, pass } from "./fake-tab.ts";
import { writeToken } from "./write-token.ts";

let tab: FakeTab;

beforeEach(() => {
  tab = new FakeTab();
});
afterEach(() => closeTab());

describe("a renewal", () => {
  it("is the login service's call, whose outcome other tabs get", async () => {
    await tab.open(due);
    expect(tab.posted).toEqual([0]);
    expect(tab.requests).toEqual([
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

  it.each([201, 200])("with status %i renews a long-term login, too, and ignores how that ends", async (status) => {
    tab.answer = ({ path }) => (path.includes("longterm") ? Promise.reject(new TypeError()) : tab.renew(path, status));
    await tab.open({ ...due, lid: "1" });
    expect(tab.requests.map(({ path }) => path)).toEqual([
      "/service/login/api/v1/logintoken/renew",
      "/service/login/api/v1/longtermtoken/renew",
    ]);
    expect(tab.requests[1]?.init).toMatchObject({ method: "POST", headers: { "X-hunter-csrf": "1" } });
    expect(tab.requests[1]?.init).not.toHaveProperty("body");
  });

  it("that fails doesn't renew the long-term login", async () => {
    tab.answer = () => new Response(null, { status: 401 });
    await tab.open({ ...due, lid: "1" });
    expect(tab.requests).toHaveLength(1);
  });

  it.each([
    ["a second before the renewal time", { ren: 1, exp: 600 }, 0],
    ["at the renewal time", { ren: 0, exp: 600 }, 1],
    ["in the token's last second", { ren: -60, exp: 1 }, 1],
    ["when the token has ended", { ren: -60, exp: 0 }, 0],
  ])("is requested %s: %o, %i times", async (_name, token, times) => {
    await tab.open(token);
    await pass(999);
    expect(tab.renewals).toBe(times);
  });

  it("is requested once, whatever happens before the answer", async () => {
    const answer = Promise.withResolvers<Response>();
    tab.answer = () => answer.promise;
    await tab.open(due);
    await tab.do(...activity, "online");
    await tab.setHidden(true);
    await tab.setHidden(false);
    await pass(10_000);
    await tab.do(...activity, "online");
    answer.resolve(tab.renew(""));
    await pass();
    expect(tab.renewals).toBe(1);
  });
});

describe("a check", () => {
  it("comes every three minutes with a token, and every ten seconds without", async () => {
    await tab.open({ ren: 179, exp: 1800 });
    await pass(179_999);
    expect(tab.renewals).toBe(0);
    await pass(1);
    expect(tab.renewals).toBe(1);

    tab.cookies = {};
    await pass(180_000);
    tab.cookies.LoginToken = writeToken(due);
    await pass(9_999);
    expect(tab.renewals).toBe(1);
    await pass(1);
    expect(tab.renewals).toBe(2);
  });

  it.each(activity)("comes with activity: %s", async (type) => {
    await tab.open({ ren: 30, exp: 1800 });
    await pass(30_000);
    await tab.do("mousemove", "focus", "resize", "offline");
    expect(tab.renewals).toBe(0);
    await tab.do(type);
    expect(tab.renewals).toBe(1);
  });

  it.each([
    ["no token", ""],
    ["a cookie that is no token", "not.a.token"],
  ])("of %s sends nothing, and goes on every ten seconds", async (_name, text) => {
    tab.cookies.LoginToken = text;
    await tab.open();
    await tab.do(...activity, "online");
    await pass(10 * minute);
    expect(tab.requests).toEqual([]);
    expect(console.error).toHaveBeenCalledTimes(text === "" ? 0 : 1);
    vi.mocked(console.error).mockClear();
    tab.cookies.LoginToken = writeToken(due);
    await pass(10_000);
    expect(tab.renewals).toBe(1);
  });

  it.each([
    ["due", 20, 1],
    ["expired", 40, 0],
  ])("comes with the first activity after sleep: the token is %s", async (_name, minutes, times) => {
    await tab.open({ ren: 600, exp: 1800 });
    // Timers don't run while the device sleeps.
    vi.setSystemTime(Date.now() + minutes * minute);
    await tab.do("touchstart");
    expect(tab.renewals).toBe(times);
    expect(vi.getTimerCount()).toBe(times);
  });
});

describe("an outcome", () => {
  it.each([
    ["0, renewed", due, 201, true],
    ["1, renewed for the last time", due, 200, false],
    ["3, unknown to the service", due, 401, false],
    ["4, not needed", { ren: 600, exp: 1800 }, 201, true],
    ["5, expired", { ren: -60, exp: -1 }, 201, false],
  ])("%s, decides about timer and listeners", async (_name, token, status, goesOn) => {
    tab.answer = ({ path }) => (status === 401 ? new Response(null, { status }) : tab.renew(path, status));
    await tab.open(token);
    const asked = tab.renewals;
    expect([vi.getTimerCount(), tab.isListening]).toEqual([goesOn ? 1 : 0, goesOn]);

    tab.cookies.LoginToken = writeToken(due);
    await tab.do(...activity, "visibilitychange", "online");
    expect(tab.renewals - asked).toBe(goesOn ? 1 : 0);
  });

  it.each<[string, () => Response | Promise<Response>, timeout?: number]>([
    ["2, a server error", () => new Response(null, { status: 500 })],
    ["2, a gateway's error", () => new Response("<h1>", { status: 503 })],
    ["a throttled call", () => new Response(null, { status: 429 })],
    ["a failed call", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["no answer", () => new Promise(() => {}), 15_000],
  ])("%s, stops the timer silently; activity tries again after the backoff", async (_name, answer, timeout = 0) => {
    tab.answer = answer;
    await tab.open({ ren: -60, exp: 3600 });
    await pass(timeout);
    expect(tab.renewals).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
    expect(tab.cookies).toHaveProperty("LoginToken");

    await tab.do(...activity);
    await pass(29_000);
    await tab.do(...activity);
    expect(tab.renewals).toBe(1);
    tab.answer = ({ path }) => tab.renew(path);
    await pass(1000);
    await tab.do("click");
    expect(tab.renewals).toBe(2);
    expect(vi.getTimerCount()).toBe(1);
  });

  it("0 without a newer token doesn't lead to a loop", async () => {
    tab.answer = () => new Response("{}", { status: 201 });
    await tab.open(due);
    await tab.do(...activity, ...activity);
    expect(tab.renewals).toBe(1);
  });
});

describe("the backoff", () => {
  const attempts = async (seconds: number) => {
    const before = tab.renewals;
    for (let second = 0; second < seconds; second += 1) {
      await pass(1000);
      await tab.do("scroll", "click");
    }
    return tab.renewals - before;
  };

  it("doubles with every failure up to a quarter of an hour, and starts again after a success", async () => {
    tab.answer = () => new Response(null, { status: 500 });
    await tab.open({ ren: -60, exp: 86_400 });
    expect(await attempts(30 + 60 + 120 + 240 + 480 + 900)).toBe(6);
    tab.answer = ({ path }) => tab.renew(path);
    await attempts(900);
    tab.cookies.LoginToken = writeToken({ ren: -60, exp: 86_400 });
    tab.answer = () => new Response(null, { status: 500 });
    expect(await attempts(31)).toBe(2);
  });

  it("is up to a half shorter by chance, and ignores a clock that is set back", async () => {
    vi.mocked(Math.random).mockReturnValue(0);
    tab.answer = () => new Response(null, { status: 500 });
    await tab.open({ ren: -86_400, exp: 86_400 });
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await attempts(14)).toBe(0);
    expect(await attempts(1)).toBe(1);
  });
});

describe("a hidden tab", () => {
  it("pauses its timer, and checks when it is shown again", async () => {
    await tab.open({ ren: 60, exp: 1800 });
    await tab.setHidden(true);
    expect(vi.getTimerCount()).toBe(0);
    await tab.do(...activity, "online");
    await pass(10 * minute);
    expect(tab.requests).toEqual([]);
    await tab.setHidden(false);
    expect([tab.renewals, vi.getTimerCount()]).toEqual([1, 1]);
  });

  it("that was opened in the background sends nothing until it is shown", async () => {
    tab.hidden = true;
    await tab.open(due);
    await pass(5 * minute);
    expect([tab.renewals, vi.getTimerCount()]).toEqual([0, 0]);
    await tab.setHidden(false);
    expect(tab.renewals).toBe(1);
  });

  it("takes the answer to an earlier request", async () => {
    const answer = Promise.withResolvers<Response>();
    tab.answer = () => answer.promise;
    await tab.open(due);
    await tab.setHidden(true);
    answer.resolve(tab.renew(""));
    await pass();
    expect(vi.getTimerCount()).toBe(0);
    await tab.setHidden(false);
    expect([tab.renewals, vi.getTimerCount()]).toEqual([1, 1]);
  });
});

describe("without a network", () => {
  it("nothing is sent until it is back", async () => {
    tab.online = false;
    await tab.open({ ren: -60, exp: 3600 });
    await tab.do(...activity);
    await pass(10 * minute);
    expect(tab.requests).toEqual([]);
    tab.online = true;
    await tab.do("online");
    expect([tab.renewals, vi.getTimerCount()]).toEqual([1, 1]);
  });

  it("a failed call is repeated as soon as it is back", async () => {
    tab.answer = () => Promise.reject(new TypeError("Failed to fetch"));
    await tab.open(due);
    tab.answer = ({ path }) => tab.renew(path);
    await tab.do("online");
    expect([tab.renewals, vi.getTimerCount()]).toEqual([2, 1]);
  });
});

describe("a page that is left", () => {
  it("aborts its call and stops", async () => {
    tab.answer = () => new Promise(() => {});
    await tab.open(due);
    await tab.do("pagehide");
    expect(tab.requests[0]?.init.signal?.aborted).toBe(true);
    expect([vi.getTimerCount(), tab.isListening, tab.channels.size]).toEqual([0, false, 0]);
  });

  it.each([
    ["was running", { ren: 60, exp: 3600 }],
    ["had stopped", { ren: -60, exp: -1 }],
  ])("starts again when it returns from the back-forward cache: it %s", async (_name, token) => {
    await tab.open(token);
    await tab.do("pagehide");
    await pass(minute);
    tab.cookies.LoginToken = writeToken(due);
    await tab.do("pageshow");
    expect([tab.renewals, vi.getTimerCount(), tab.isListening]).toEqual([1, 1, true]);
  });

  it("doesn't start twice when it is first shown", async () => {
    await tab.open(due);
    await tab.do("pageshow");
    expect([tab.renewals, tab.channels.size]).toEqual([1, 1]);
  });
});

describe("another tab", () => {
  it("that renews the token keeps this one from it", async () => {
    tab.isLocked = true;
    await tab.open(due);
    expect([tab.renewals, vi.getTimerCount()]).toEqual([0, 1]);
  });

  it("that is quicker keeps this one from renewing where there are no locks", async () => {
    tab.hasLocks = false;
    await tab.open(due);
    await pass(1000);
    tab.renew("");
    await pass(1000);
    expect(tab.renewals).toBe(0);
    tab.cookies.LoginToken = writeToken(due);
    await tab.do("click");
    await pass(2000);
    expect(tab.renewals).toBe(1);
  });

  it.each([1, 3, 5])("whose renewal ended with outcome %i stops this one", async (outcome) => {
    await tab.open({ ren: 600, exp: 1800 });
    await tab.receive(outcome);
    expect([vi.getTimerCount(), tab.isListening]).toEqual([0, false]);
  });

  it("whose renewal failed makes this one wait as well", async () => {
    tab.hidden = true;
    await tab.open({ ren: -60, exp: 3600 });
    await tab.receive(2);
    await tab.setHidden(false);
    await pass(29_000);
    await tab.do("click");
    expect(tab.renewals).toBe(0);
    await pass(1000);
    await tab.do("click");
    expect(tab.renewals).toBe(1);
  });

  it("that has renewed the session after all restarts this one", async () => {
    await tab.open({ ren: -60, exp: -1 });
    expect(tab.isListening).toBe(false);
    tab.renew("");
    await tab.receive(0);
    expect([vi.getTimerCount(), tab.isListening]).toEqual([1, true]);
  });

  it.each(["click", "pagehide"])("is told of a logout that this one notices by %s", async (event) => {
    await tab.open({ ren: 600, exp: 1800 });
    tab.cookies = {};
    await tab.do(event);
    expect(tab.posted).toEqual(["gone"]);
  });

  it("that tells of a logout makes this one look for a token every ten seconds, and abort its renewal", async () => {
    tab.answer = () => new Promise(() => {});
    await tab.open(due);
    tab.cookies = {};
    await tab.receive("gone");
    expect(tab.requests[0]?.init.signal?.aborted).toBe(true);
    expect(tab.posted).toEqual([]);
    tab.answer = ({ path }) => tab.renew(path);
    tab.cookies.LoginToken = writeToken(due);
    await pass(10_000);
    expect(tab.renewals).toBe(2);
  });

  it("that tells of a logout doesn't restart this one", async () => {
    await tab.open({ ren: -60, exp: -1 });
    await tab.receive("gone");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that sends something unknown is ignored", async () => {
    await tab.open({ ren: 600, exp: 1800 });
    for (const message of [null, undefined, {}, [], "renewed", 6, { outcome: 1 }]) await tab.receive(message);
    expect(tab.requests).toEqual([]);
    expect([vi.getTimerCount(), tab.isListening]).toEqual([1, true]);
  });
});
