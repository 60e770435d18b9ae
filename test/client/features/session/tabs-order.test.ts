import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { minute, second } from "../../../../client/rules/time.ts";
import { Browser, type Fate, type Session, Tab } from "./browser-with-tabs.ts";

const triedOrders = 1000;

const fates: Record<string, Fate> = {
  prompt: {},
  slow: { takes: 8 * second },
  tooSlow: { takes: 20 * second },
  failing: { status: 500 },
  throttled: { status: 429 },
  unreachable: { isLost: "on the way" },
  "lost on the way back": { isLost: "on the way back", takes: second },
};

type Action = (browser: Browser, which: number) => void;

/** A tab that the visitor can use; a new one if there is none. */
function anyTab(browser: Browser, which: number): Tab {
  const usable = browser.tabs.filter(({ isUsable }) => isUsable);
  return usable[which % usable.length] ?? new Tab(browser);
}

/** Signs in or out as a page does: the answer is another page in the same tab. */
function reloadAfter(browser: Browser, which: number, change: () => void): void {
  anyTab(browser, which).close();
  change();
  new Tab(browser);
}

const actions: Record<string, Action> = {
  open: (browser) => void new Tab(browser),
  act: (browser, which) => anyTab(browser, which).act(),
  hide: (browser, which) => anyTab(browser, which).hide(),
  close: (browser, which) => anyTab(browser, which).close(),
  leave: (browser, which) => anyTab(browser, which).leave(),
  return(browser, which) {
    const asleep = browser.tabs.filter(({ isUsable, isClosed }) => !isUsable && !isClosed);
    asleep[which % asleep.length]?.return();
  },
  loseNetwork(browser) {
    browser.isOnline = false;
  },
  findNetwork(browser) {
    browser.isOnline = true;
    for (const tab of browser.tabs) if (tab.isUsable) tab.act("online");
  },
  signIn: (browser, which) =>
    reloadAfter(browser, which, () => {
      if (!browser.isSignedIn) browser.signIn();
    }),
  signOut: (browser, which) => reloadAfter(browser, which, () => browser.signOut()),
  answer(browser, which) {
    const all = Object.values(fates);
    browser.fate = all[which % all.length] ?? {};
  },
  answerPromptly(browser) {
    browser.fate = {};
  },
};

const often = ["open", "act", "act", "act", "signIn", "answer"];
const command = fc
  .record({
    name: fc.constantFrom(...often, ...Object.keys(actions)),
    which: fc.nat(20),
    pause: fc.constantFrom(0, 0, 1, 9, 16, 60, 200, 700),
    asleep: fc.constantFrom(0, 0, 0, 0, 0, 20, 60),
  })
  .map(({ name, which, pause, asleep }) => ({
    check: () => true,
    toString: () => `${name}(${which}), ${pause} s${asleep ? `, ${asleep} min asleep` : ""}`,
    async run({ browser, sessions }: { browser: Browser; sessions: Set<Session> }) {
      actions[name]?.(browser, which);
      if (browser.credential) sessions.add(browser.credential.session);
      browser.clock.sleep(asleep * minute);
      await browser.clock.pass(pause * second);
    },
  }));

it(`tabs renew a session one at a time, not after its end, and never lose it (${triedOrders} orders)`, async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const orders = fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 16 }), async (commands) => {
    const browser = new Browser();
    const sessions = new Set<Session>();
    browser.signIn();
    await fc.asyncModelRun(() => ({ model: { browser, sessions }, real: undefined }), commands);

    // Makes all answers arrive, and the visitor continue in a new tab.
    Object.assign(browser, { fate: {}, isOnline: true });
    await browser.clock.pass(20 * second);
    const session = browser.isSignedIn ? browser.credential?.session : undefined;
    const tab = new Tab(browser);
    for (let minutes = 0; minutes < 45; minutes += 1) {
      tab.act();
      await browser.clock.pass(minute);
    }
    expect(browser.faults).toEqual([]);
    for (const { end } of sessions) expect(end, "a renewed session is never dropped").not.toBe("reuse");
    if (session) {
      const lasts = session.endsAt > browser.clock.now;
      expect([browser.isSignedIn, browser.credential?.session === session]).toEqual([lasts, true]);
    }
    if ((browser.times?.exp ?? 0) * second > browser.clock.now)
      expect(browser.credential?.session.end, "the session of a clock that runs").toBeUndefined();
  });
  await fc.assert(orders, { numRuns: triedOrders, interruptAfterTimeLimit: minute });
});
