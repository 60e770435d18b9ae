import { parseSetCookie } from "cookie";
import { describe, expect, it } from "vitest";
import { minute } from "../../../client/rules/time.ts";
import type { LoginRequest } from "../../../schemas/types.ts";
import { addAccount, addAccounts, findAccount } from "../../../server/accounts/accounts.ts";
import { createPasswordLogin } from "../../../server/features/preview/embedded/password-login.ts";
import { createStaffSessions } from "../../../server/features/preview/embedded/staff-sessions.ts";
import {
  type Bench,
  callerWith,
  checkAll,
  countOf,
  email,
  openLogin,
  pass,
  password,
  unknownAddresses,
} from "../../support/login-test.ts";
import { newAddress } from "../../support/new-address.ts";

const right = { email, password };

/** Tries many addresses at once, each for the first time. Returns the outcomes. */
async function flood({ login }: Bench, count: number, addressOf: (i: number) => string = newAddress) {
  const attempts = unknownAddresses(count).map((request, i) => login.login(request, callerWith({}, addressOf(i))));
  return (await Promise.all(attempts)).map(({ status }) => status);
}

describe("a login", () => {
  it("succeeds for 40 people at once who share an IPv4 address with 40 wrong passwords, which are limited", async () => {
    const bench = await openLogin();
    const { passwordHash = "" } = (await findAccount(bench.db, "customer", email)) ?? {};
    const people = Array.from({ length: 40 }, (_, i) => ({ email: `colleague-${i}@shop.example`, password }));
    await addAccounts(
      bench.db,
      people.map((person) => ({ kind: "customer", email: person.email, passwordHash })),
    );
    const network = callerWith();
    const signInAll = (requests: readonly LoginRequest[]) =>
      Promise.all(requests.map(async (request) => ({ request, ...(await bench.login.login(request, network)) })));
    const attack = checkAll(bench, unknownAddresses(40), () => network.ip ?? "");
    const refused = [];
    for (let waiting = people; waiting.length > 0; ) {
      const answers = await signInAll(waiting);
      refused.push(...answers.filter(({ status }) => status !== "success" && status !== "unavailable"));
      waiting = answers.filter(({ status }) => status === "unavailable").map(({ request }) => request);
      // Those that couldn't be checked in time try again.
      if (waiting.length > 0) {
        await attack;
        pass(minute);
      }
    }
    expect(refused).toEqual([]);
    const statuses = await attack;
    expect([countOf(statuses, "unauthorized"), countOf(statuses, "rateLimited")]).toEqual([30, 10]);
  });

  it("doesn't wait for a flood from one network, whose attempts are refused", async () => {
    const bench = await openLogin();
    const attack = checkAll(bench, unknownAddresses(60), (i) => `2001:db8:1:${i.toString(16)}::1`);
    expect(await bench.login.login(right, callerWith())).toMatchObject({ status: "success" });
    expect(countOf(await attack, "rateLimited")).toBe(40);
  });

  it("doesn't wait for wrong passwords of accounts that were imported with costly hashes", async () => {
    const { db, login } = await openLogin();
    const passwordHash = "$argon2id$v=19$m=19456,t=7,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg";
    const moved = Array.from({ length: 6 }, (_, i) => ({
      kind: "customer" as const,
      email: `moved-${i}@shop.example`,
    }));
    await addAccounts(
      db,
      moved.map((line) => ({ ...line, passwordHash })),
    );
    let answered = 0;
    const attack = moved.map(async ({ email }) => {
      const { status } = await login.login({ email, password }, callerWith());
      answered++;
      return status;
    });
    expect(await login.login(right, callerWith())).toMatchObject({ status: "success" });
    expect(answered).toBeLessThan(3);
    expect(await Promise.all(attack)).not.toContain("success");
  });

  it("isn't refused to trusted browsers and staff in a flood of strangers, which counts against nobody's address", async () => {
    const bench = await openLogin();
    const { db, lines, login } = bench;
    const first = await login.login(right, callerWith());
    const device = first.status === "success" ? parseSetCookie(first.cookies.at(-1) ?? "").value : undefined;
    await addAccount(db, "staff", right);
    const attack = flood(bench, 60);
    const owner = Array.from({ length: 6 }, () => login.login(right, callerWith()));
    const loner = flood(bench, 35, () => "192.0.2.1");
    expect(await login.login(right, callerWith({ KnownDevice: device ?? "" }))).toMatchObject({ status: "success" });
    expect(
      await createPasswordLogin(bench, db, createStaffSessions(bench, db))(email, password, callerWith()),
    ).toMatchObject({
      status: "success",
    });
    for (const answer of await Promise.all(owner))
      expect(answer).toEqual({ status: "unavailable", retryAfter: expect.any(Number) });
    expect(new Set(await loner)).toEqual(new Set(["unavailable"]));
    expect(new Set(await attack)).toEqual(new Set(["unauthorized", "unavailable"]));
    expect(await login.login(right, callerWith({}, "192.0.2.1"))).toMatchObject({ status: "success" });
    expect(await login.login(right, callerWith())).toMatchObject({ status: "success" });
    expect(lines.map(({ msg }) => msg)).toEqual(["sign-ins refused", "sign-ins no longer refused"]);
  });
});
