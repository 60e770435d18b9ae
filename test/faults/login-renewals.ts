/**
 * Renews many sessions from many tabs each at once. Of every session there must be one left, and nobody signed out, or
 * it exits with 1. It runs on SQLite, or on the database of TEST_DATABASE_URL.
 *
 *   tsx test/faults/login-renewals.ts [families] [tabs]
 */

import { second } from "../../client/rules/time.ts";
import { customerAccounts } from "../../server/shop/login/customer-accounts.ts";
import { loginSessions } from "../../server/shop/login/sessions.ts";
import { createTokens } from "../../server/shop/login/tokens.ts";
import { createTokenKeys } from "../../server/shop/sign-in/token-keys.ts";
import { email, openLogin } from "../support/login-test.ts";
import { renewFamilies } from "../support/renew-families.ts";
import { closeTestStores } from "../support/test-store.ts";

const [families = 1_000, tabs = 50] = process.argv.slice(2).map(Number);
/** How many families renew at the same time. */
const atOnce = 20;

const bench = await openLogin();
const { db } = bench;
const account = await customerAccounts.find(db, email);
const tokens = createTokens(createTokenKeys(db));
const total = { renewals: 0, falseLogouts: 0, liveFamilies: 0, mostGenerations: 0 };
const started = performance.now();
for (let begun = 0; begun < families; begun += atOnce) {
  const count = await renewFamilies(bench, await startFamilies(Math.min(atOnce, families - begun)), tabs);
  total.renewals += count.renewals;
  total.falseLogouts += count.falseLogouts;
  total.liveFamilies += count.liveFamilies;
  total.mostGenerations = Math.max(total.mostGenerations, count.mostGenerations);
}
console.table({ ...total, families, seconds: Math.round((performance.now() - started) / second) });
await closeTestStores();
const isRight = total.falseLogouts === 0 && total.liveFamilies === families && total.mostGenerations === 1;
process.exitCode = isRight ? 0 : 1;

/** Starts sessions without a password, whose check would take longer than a thousand renewals. */
function startFamilies(count: number) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const own = { accountId: account?.id ?? "", stay: 1, generation: 0, rotatedAt: null };
      const session = await loginSessions.start(db, own, bench.now());
      return {
        LoginToken: await tokens.signClock(session, bench.now(), bench.now()),
        login: await tokens.signLogin(session, bench.now()),
        LongtermToken: await tokens.signLongterm(session, bench.now()),
      };
    }),
  );
}
