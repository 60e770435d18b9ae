import { describe, expect, it, vi } from "vitest";
import { second } from "../../../../client/rules/time.ts";
import { callerWith, email, openLogin, renewed, signIn } from "../../../support/login-test.ts";
import * as staff from "../../../support/preview-test.ts";

vi.setConfig({ testTimeout: 30_000 });

const wrong = { email, password: "wrong password" };

describe("operators are told", () => {
  it("when a used-up token comes again, once, and of nothing before", async () => {
    const bench = await openLogin();
    const stolen = await signIn(bench, { stayLoggedIn: true });
    await renewed(bench, stolen);
    await renewed(bench, stolen);
    expect(bench.events).toEqual([]);
    bench.pass(10 * second);
    for (let i = 0; i < 3; i++) await renewed(bench, stolen);
    expect(bench.events).toEqual([{ event: "authn_token_reuse", kind: "customer", account: email }]);
  });

  it("of each wait that wrong passwords bring, and of no try that has to wait", async () => {
    const bench = await openLogin();
    const caller = callerWith();
    for (let i = 0; i < 9; i++) await bench.login.login({ ...wrong, email: "ADA@shop.example" }, caller);
    const lock = { event: "authn_login_lock", kind: "customer", account: email, reason: "tries" };
    expect(bench.events).toEqual([{ ...lock, network: caller.address }]);
    bench.pass(2 * second);
    await bench.login.login(wrong, caller);
    expect(bench.events).toHaveLength(2);
  });

  it("when a network has tried too many passwords, once", async () => {
    const bench = await openLogin();
    const caller = callerWith();
    for (let i = 0; i < 35; i++) await bench.login.login({ ...wrong, email: `${i}@shop.example` }, caller);
    const met = { event: "excess_rate_limit_exceeded", limit: "login-minute", key: caller.address };
    expect(bench.events).toEqual([met]);
  });

  it("when a member of staff signs in, and of no customer who does", async () => {
    const customers = await openLogin();
    await signIn(customers);
    expect(customers.events).toEqual([]);
    const { preview, events } = await staff.openPreview();
    const caller = staff.callerWith();
    await preview.login({ user: staff.user, password: staff.password }, caller);
    const success = { event: "authn_login_success", kind: "staff", account: staff.user };
    expect(events).toEqual([{ ...success, network: caller.address }]);
  });
});
