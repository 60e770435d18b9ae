import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepSession } from "../../../../client/features/session/keep-session.ts";
import { minute, second } from "../../../../client/rules/time.ts";
import { writePayload, writeToken } from "./write-token.ts";

const activity = ["touchstart", "keydown", "scroll", "click"];
/** The times of a token that must be renewed, relative to now, in seconds. */
const due = { ren: -60, exp: 600 };
const fresh = { ren: 600, exp: 1800 };
const status = (code: number) => () => new Response(null, { status: code });

/** Stands in for the globals of a browser's tab. */
class FakeTab extends EventTarget {
  cookies: Record<string, string> = {};
  visibilityState = "visible";
  onLine = true;
  /** Undefined on a page without HTTPS. */
  locks: object | undefined = {
    request: async (_name: string, _options: object, run: (lock: unknown) => unknown) => run({}),
  };
  storage = new Map<string, string>();
  requests: { path: string; init: RequestInit }[] = [];
  /** Answers the requests; rejects without a network. */
  answer: (path: string) => Response | Promise<Response> = (path) => this.renew(path);

  get cookie() {
    return Object.entries(this.cookies)
      .map((pair) => pair.join("="))
      .join("; ");
  }

  getItem = (key: string) => this.storage.get(key) ?? null;
  setItem = (key: string, value: string) => void this.storage.set(key, value);

  fetch = async (path: string, init: RequestInit) => {
    this.requests.push({ path, init });
    return this.answer(path);
  };

  /** Sets a cookie with a token that must be renewed in ten minutes and ends in thirty. */
  renew(path = "", code = 201): Response {
    if (path.includes("longtermtoken")) return new Response(null, { status: 204 });
    this.cookies.LoginToken = writeToken(fresh);
    return new Response("{}", { status: code });
  }

  /** The number of requests for a new login token. */
  get renewals(): number {
    return this.requests.filter(({ path }) => path.endsWith("/logintoken/renew")).length;
  }

  async open(token?: Parameters<typeof writeToken>[0]): Promise<void> {
    if (token) this.cookies.LoginToken = writeToken(token);
    keepSession();
    await pass();
  }

  async do(...types: string[]): Promise<void> {
    for (const type of types) this.dispatchEvent(new Event(type));
    await pass();
  }

  async show(visibilityState: "visible" | "hidden"): Promise<void> {
    this.visibilityState = visibilityState;
    await this.do("visibilitychange");
  }
}

let tab: FakeTab;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-05-04T10:00:00Z") });
  vi.spyOn(Math, "random").mockReturnValue(1);
  tab = new FakeTab();
  for (const name of ["document", "navigator", "localStorage"]) vi.stubGlobal(name, tab);
  vi.stubGlobal("fetch", tab.fetch);
  vi.stubGlobal("addEventListener", tab.addEventListener.bind(tab));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (time = 0) => vi.advanceTimersByTimeAsync(time);

describe("a renewal", () => {
  it.each([201, 200])("with status %i renews a long-term login, too, and ignores how that ends", async (code) => {
    tab.answer = (path) => (path.includes("longterm") ? Promise.reject(new TypeError()) : tab.renew(path, code));
    await tab.open({ ...due, lid: "1" });
    const common = { method: "POST", redirect: "error", signal: expect.any(AbortSignal) };
    const json = { "Content-Type": "application/json" };
    const csrf = { "X-hunter-csrf": "1" };
    expect(tab.requests).toEqual([
      {
        path: "/service/login/api/v1/logintoken/renew",
        init: { ...common, headers: { ...json, ...csrf }, body: "{}" },
      },
      { path: "/service/login/api/v1/longtermtoken/renew", init: { ...common, headers: csrf } },
    ]);
  });

  it("that fails doesn't renew the long-term login", async () => {
    tab.answer = status(401);
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
    await tab.show("hidden");
    await tab.show("visible");
    await pass(10_000);
    answer.resolve(tab.renew());
    await pass();
    expect([tab.renewals, vi.getTimerCount()]).toEqual([1, 1]);
  });

  it("is left to the tab that is at it", async () => {
    tab.locks = { request: async (_name: string, _options: object, run: (lock: unknown) => unknown) => run(null) };
    await tab.open(due);
    expect([tab.renewals, vi.getTimerCount()]).toEqual([0, 1]);
  });

  it("isn't requested when another tab has got it before this one's turn", async () => {
    const renewedBefore = async (_name: string, _options: object, run: (lock: unknown) => unknown) => {
      tab.cookies.LoginToken = writeToken(fresh);
      return run({});
    };
    tab.locks = { request: renewedBefore };
    await tab.open(due);
    expect(tab.renewals).toBe(0);
  });

  it("needs no locks, which pages without HTTPS lack", async () => {
    tab.locks = undefined;
    await tab.open(due);
    expect(tab.renewals).toBe(1);
  });
});

describe("a check", () => {
  it("comes every three minutes with a token, and every ten seconds without", async () => {
    await tab.open({ ren: 179, exp: 1800 });
    await pass(3 * minute - 1);
    expect(tab.renewals).toBe(0);
    await pass(1);
    expect(tab.renewals).toBe(1);

    tab.cookies = {};
    await pass(3 * minute);
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

  it("waits until the tab is shown", async () => {
    tab.visibilityState = "hidden";
    await tab.open(due);
    await tab.do(...activity, "online");
    await pass(10 * minute);
    expect([tab.requests.length, vi.getTimerCount()]).toEqual([0, 0]);
    tab.cookies.LoginToken = writeToken(due);
    await tab.show("visible");
    expect([tab.renewals, vi.getTimerCount()]).toEqual([1, 1]);
    await tab.show("hidden");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("waits for the network", async () => {
    tab.onLine = false;
    await tab.open({ ren: -60, exp: 3600 });
    await tab.do(...activity);
    await pass(10 * minute);
    expect(tab.requests).toEqual([]);
    tab.onLine = true;
    await tab.do("online");
    expect([tab.renewals, vi.getTimerCount()]).toEqual([1, 1]);
  });
});

describe("an outcome", () => {
  it.each([
    ["0, renewed", due, 201, true],
    ["1, renewed for the last time", due, 200, false],
    ["3, unknown to the service", due, 401, false],
    ["4, not needed", fresh, 201, true],
    ["5, expired", { ren: -60, exp: -1 }, 201, false],
  ])("%s, decides about timer and listeners, until the page comes back", async (_name, token, code, goesOn) => {
    tab.answer = (path) => (code === 401 ? new Response(null, { status: code }) : tab.renew(path, code));
    await tab.open(token);
    const asked = tab.renewals;
    expect(vi.getTimerCount()).toBe(goesOn ? 1 : 0);

    tab.cookies.LoginToken = writeToken(due);
    await tab.do("pageshow", ...activity, "visibilitychange", "online");
    expect(tab.renewals - asked).toBe(goesOn ? 1 : 0);

    tab.cookies.LoginToken = writeToken(due);
    tab.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    expect(tab.renewals - asked).toBe(goesOn ? 2 : 1);
  });

  it.each([
    ["2, a server error", status(500)],
    ["2, a gateway's error", () => new Response("<h1>", { status: 503 })],
    ["a throttled call", status(429)],
    ["a failed call", () => Promise.reject(new TypeError("Failed to fetch"))],
  ])("%s, stops the timer silently; activity tries again after the backoff", async (_name, answer) => {
    tab.answer = answer;
    await tab.open({ ren: -60, exp: 3600 });
    expect([tab.renewals, vi.getTimerCount()]).toEqual([1, 0]);
    expect(tab.cookies).toHaveProperty("LoginToken");
    await pass(29_000);
    await tab.do(...activity);
    expect(tab.renewals).toBe(1);
    tab.answer = (path) => tab.renew(path);
    await pass(1000);
    await tab.do("click");
    expect([tab.renewals, vi.getTimerCount()]).toEqual([2, 1]);
  });

  it("2 is forgotten when the network is back", async () => {
    tab.answer = status(500);
    await tab.open(due);
    tab.answer = (path) => tab.renew(path);
    await tab.do("online");
    expect([tab.renewals, vi.getTimerCount()]).toEqual([2, 1]);
  });

  it("0 without a newer token doesn't lead to a loop", async () => {
    tab.answer = status(201);
    await tab.open(due);
    await tab.do(...activity, ...activity);
    expect(tab.renewals).toBe(1);
  });
});

describe("the backoff", () => {
  const attempts = async (seconds: number) => {
    const before = tab.renewals;
    for (let passed = 0; passed < seconds; passed += 1) {
      await pass(second);
      await tab.do("scroll", "click");
    }
    return tab.renewals - before;
  };

  it("doubles with every failure up to a quarter of an hour, and starts again after a success", async () => {
    tab.answer = status(500);
    await tab.open({ ren: -60, exp: 86_400 });
    expect(await attempts(30 + 60 + 120 + 240 + 480 + 900)).toBe(6);
    tab.answer = (path) => tab.renew(path);
    await attempts(900);
    tab.cookies.LoginToken = writeToken({ ren: -60, exp: 86_400 });
    tab.answer = status(500);
    expect(await attempts(31)).toBe(2);
  });

  it("is up to a half shorter by chance, and ignores a clock that is set back", async () => {
    vi.mocked(Math.random).mockReturnValue(0);
    tab.answer = status(500);
    await tab.open({ ren: -86_400, exp: 86_400 });
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await attempts(14)).toBe(0);
    expect(await attempts(1)).toBe(1);
  });
});

describe("a device's clock", () => {
  /** Makes a service answer whose clock is ahead of the device's by some seconds. Its tokens are due in ten minutes. */
  function answerFrom(offset: number) {
    const serverNow = () => Math.floor(Date.now() / 1000) + offset;
    const issue = (ren: number, exp: number) => {
      tab.cookies.LoginToken = writePayload({ ren: serverNow() + ren, exp: serverNow() + exp });
    };
    tab.answer = () => {
      issue(600, 1800);
      return new Response("{}", { status: 201, headers: { Date: new Date(serverNow() * 1000).toUTCString() } });
    };
    return issue;
  }

  it.each([-1500, -900, -6, 0, 6, 900])("that is %i s off is corrected by the first renewal", async (offset) => {
    const issue = answerFrom(offset);
    // Due by both clocks.
    issue(-Math.abs(offset) - 1, Math.abs(offset) + 1);
    await tab.open();
    expect(tab.renewals).toBe(1);
    await pass(8 * minute);
    expect([tab.renewals, tab.storage.size]).toEqual([1, offset === 0 ? 0 : 1]);
    await pass(4 * minute + 2000);
    expect(tab.renewals).toBe(2);
  });

  it("is corrected for one token only", async () => {
    const issue = answerFrom(-1500);
    issue(-1501, 1501);
    await tab.open();
    await pass(minute);
    issue(300, 1800);
    await tab.do("click");
    expect(tab.renewals).toBe(2);
  });

  it("stays as it is without storage", async () => {
    const forbid = () => {
      throw new DOMException("forbidden", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: forbid, setItem: forbid });
    answerFrom(-900)(-901, 901);
    await tab.open();
    await tab.do("click", "scroll");
    expect(tab.renewals).toBe(1);
  });
});
