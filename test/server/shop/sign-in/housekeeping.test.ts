import { expect, it } from "vitest";
import { day, minute } from "../../../../client/rules/time.ts";
import { keepSignIns } from "../../../../server/shop/sign-in/housekeeping.ts";
import { keyPeriod } from "../../../../server/shop/sign-in/token-keys.ts";
import { callerWith, openLogin, renewed, signIn } from "../../../support/login-test.ts";

it("what is over is removed, and nothing else", async () => {
  const bench = await openLogin();
  const { db } = bench;
  const count = async (table: "loginSession" | "loginThrottle" | "rateLimit" | "encryptedKey") =>
    (await db.selectFrom(table).selectAll().execute()).length;
  await signIn(bench);
  const staying = await signIn(bench, { stayLoggedIn: true });
  for (const name of ["a", "b", "c"]) await bench.login.login({ email: name, password: "wrong" }, callerWith());
  await keepSignIns(db, bench.now());
  expect([await count("loginSession"), await count("loginThrottle"), await count("rateLimit")]).toEqual([2, 3, 6]);

  bench.pass(31 * minute);
  await keepSignIns(db, bench.now());
  expect([await count("loginSession"), await count("loginThrottle"), await count("rateLimit")]).toEqual([1, 0, 3]);
  bench.pass(60 * minute);
  await keepSignIns(db, bench.now());
  expect(await count("rateLimit")).toBe(0);
  expect((await renewed(bench, staying)).status).toBe("renewed");

  const keys = await count("encryptedKey");
  bench.pass(2 * keyPeriod + day);
  await keepSignIns(db, bench.now());
  expect(await count("loginSession")).toBe(0);
  expect(await count("encryptedKey")).toBeLessThan(keys);
  const left = await db.selectFrom("encryptedKey").select("name").orderBy("name").execute();
  expect(left.map(({ name }) => name)).toEqual(["login-device", "login-throttle", "rate-limit"]);
});
