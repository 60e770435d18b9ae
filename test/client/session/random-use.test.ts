import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readToken } from "../../../client/session/read-token.ts";
import { FakeBrowser } from "./fake-browser.ts";
import { pass, startClock } from "./fake-clock.ts";
import { writeToken } from "./write-token.ts";

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const tabActions = ["click", "scroll", "online", "pagehide", "pageshow", "hide", "show"] as const;
const answers = [201, 200, 500, 401, 429, "no network", "never"] as const;

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ tab: fc.nat(2), action: fc.constantFrom(...tabActions) }) },
  { weight: 2, arbitrary: fc.record({ pass: fc.constantFrom(0, 1000, 10_000, 180_000, 3_600_000) }) },
  fc.record({
    token: fc.record({ ren: fc.integer({ min: -600, max: 600 }), exp: fc.integer({ min: -60, max: 1800 }) }),
  }),
  fc.record({ cookies: fc.constantFrom({}, { LoginToken: "none" }, { platform: "tablet" }) }),
  fc.record({ answer: fc.constantFrom(...answers) }),
  fc.record({ online: fc.boolean() }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A browser with three tabs that notes every call that shouldn't have been made. */
function openBrowser() {
  const browser = new FakeBrowser();
  const faults: string[] = [];
  let open = 0;
  let answer: (typeof answers)[number] = 201;
  browser.answer = ({ path, init }) => {
    if (path.includes("longterm")) return browser.renew(path);
    const token = readToken(`LoginToken=${browser.cookies.LoginToken}`);
    const now = Math.floor(Date.now() / 1000);
    if (!token || now < token.ren || now >= token.exp) faults.push("asked with no token that is due");
    if (browser.cookies.platform) faults.push("asked on a tablet");
    if (!browser.online) faults.push("asked while offline");
    open += 1;
    if (open > 1) faults.push("asked by two tabs at once");
    const close = () => {
      open -= 1;
    };
    if (answer === "never") {
      init.signal?.addEventListener("abort", close);
      return new Promise(() => {});
    }
    close();
    if (answer === "no network") return Promise.reject(new TypeError("Failed to fetch"));
    return answer > 201 ? new Response(null, { status: answer }) : browser.renew(path, answer);
  };
  const tabs = [browser.open(), browser.open(), browser.open({ hidden: true })];

  async function take(step: Step) {
    if ("tab" in step) {
      const tab = tabs[step.tab];
      if (step.action === "hide" || step.action === "show") tab?.[step.action]();
      else tab?.do(step.action);
    } else if ("pass" in step) await pass(step.pass);
    else if ("token" in step) browser.cookies = { LoginToken: writeToken(step.token) };
    else if ("cookies" in step) browser.cookies = step.cookies;
    else if ("answer" in step) answer = step.answer;
    else browser.online = step.online;
    await pass();
  }
  return { browser, tabs, faults, take };
}

it("whatever happens, a session is renewed by one tab at a time, when it is due, and goes on when all is well again", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { browser, tabs, faults, take } = openBrowser();
      for (const step of steps) await take(step);
      expect(faults).toEqual([]);

      await take({ answer: 201 });
      await take({ online: true });
      await pass(15_000);
      await take({ token: { ren: -1, exp: 600 } });
      const before = browser.renewals;
      tabs[0]?.do("pagehide");
      tabs[0]?.show();
      tabs[0]?.do("pageshow");
      await pass();
      expect(browser.renewals).toBe(before + 1);
      for (const tab of tabs) tab.do("pagehide");
      expect(vi.getTimerCount()).toBe(0);
    }),
    { numRuns: 150 },
  );
}, 30_000);
