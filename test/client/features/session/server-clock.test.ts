import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { closeTab, FakeTab, minute, pass } from "./fake-tab.ts";
import { writePayload } from "./write-token.ts";

let tab: FakeTab;

beforeEach(() => {
  tab = new FakeTab();
});
afterEach(() => closeTab());

/** Lets a service answer whose clock is ahead of the device's by so many seconds. Its tokens are due in ten minutes. */
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

it.each([-1500, -900, -6, 0, 6, 900])("the first renewal corrects a clock that is %i s off", async (offset) => {
  const issue = answerFrom(offset);
  // Due by both clocks.
  issue(-Math.abs(offset) - 1, Math.abs(offset) + 1);
  await tab.open();
  expect(tab.renewals).toBe(1);
  await pass(8 * minute);
  expect(tab.renewals).toBe(1);
  await pass(4 * minute + 2000);
  expect(tab.renewals).toBe(2);
});

it("the correction holds on the next page, for the same token only", async () => {
  const issue = answerFrom(-1500);
  issue(-1501, 1501);
  await tab.open();
  await tab.do("pagehide", "pageshow");
  await pass(minute);
  expect(tab.renewals).toBe(1);

  issue(300, 1800);
  await tab.do("click");
  expect(tab.renewals).toBe(2);
});

it.each([
  ["a right clock", new Date("2026-05-04T10:00:00Z").toUTCString()],
  ["an answer without a date", undefined],
  ["an answer with a wrong date", "yesterday"],
])("%s leaves nothing in the storage", async (_name, date) => {
  tab.answer = ({ path }) => {
    tab.renew(path);
    return new Response("{}", { status: 201, headers: date === undefined ? {} : { Date: date } });
  };
  await tab.open({ ren: 0, exp: 4e9 });
  await pass(9 * minute);
  expect([tab.renewals, tab.storage.size]).toEqual([1, 0]);
});

it("forbidden storage doesn't lead to a loop", async () => {
  const forbid = () => {
    throw new DOMException("forbidden", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: forbid, setItem: forbid });
  answerFrom(-900)(-901, 901);
  await tab.open();
  await tab.do("click", "scroll");
  expect(tab.renewals).toBe(1);
});
