import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeBrowser } from "./fake-browser.ts";
import { minute, pass, startClock } from "./fake-clock.ts";
import { writePayload } from "./write-token.ts";

let browser: FakeBrowser;

beforeEach(() => {
  startClock();
  browser = new FakeBrowser();
});
afterEach(() => void vi.useRealTimers());

/** A service whose clock is so many seconds before the device's; its tokens are renewed in ten minutes and end in thirty. */
function answerFrom(offset: number) {
  const serverNow = () => Math.floor(Date.now() / 1000) + offset;
  const issue = (ren: number, exp: number) => {
    browser.cookies.LoginToken = writePayload({ ren: serverNow() + ren, exp: serverNow() + exp });
  };
  browser.answer = () => {
    issue(600, 1800);
    return new Response("{}", { status: 201, headers: { Date: new Date(serverNow() * 1000).toUTCString() } });
  };
  return issue;
}

describe("a device's clock", () => {
  it.each([-1500, -900, -6, 0, 6, 900])("that is %i s off is put right by the first renewal", async (offset) => {
    const issue = answerFrom(offset);
    // Due by both clocks.
    issue(-Math.abs(offset) - 1, Math.abs(offset) + 1);
    browser.open();
    await pass();
    expect(browser.renewals).toBe(1);
    await pass(8 * minute);
    expect(browser.renewals).toBe(1);
    await pass(4 * minute + 2000);
    expect(browser.renewals).toBe(2);
  });

  it("stays right on the next page and in other tabs, as long as the token is the same", async () => {
    const issue = answerFrom(-1500);
    issue(-1501, 1501);
    const first = browser.open();
    await pass();
    first.do("pagehide");
    browser.open();
    browser.open();
    await pass(minute);
    expect(browser.renewals).toBe(1);

    issue(300, 1800);
    browser.open();
    await pass();
    expect(browser.renewals).toBe(2);
  });

  it("that is right leaves no trace", async () => {
    answerFrom(0)(-1, 600);
    browser.open();
    await pass();
    expect(browser.renewals).toBe(1);
    expect(browser.storage.size).toBe(0);
  });

  it.each([
    ["no date", {}],
    ["a date that is none", { Date: "yesterday" }],
  ])("counts as right when the answer has %s", async (_name, headers) => {
    browser.cookies.LoginToken = writePayload({ ren: 0, exp: 4e9 });
    browser.answer = ({ path }) => {
      browser.renew(path);
      return new Response("{}", { status: 201, headers });
    };
    browser.open();
    await pass(11 * minute);
    expect(browser.renewals).toBe(1);
    expect(browser.storage.size).toBe(0);
  });

  it("counts as right where storage is forbidden, and renewals don't follow each other for it", async () => {
    browser.hasStorage = false;
    answerFrom(-900)(-901, 901);
    const tab = browser.open();
    await pass();
    tab.do("click", "scroll");
    await pass();
    expect(browser.renewals).toBe(1);
  });
});
