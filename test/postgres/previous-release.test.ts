import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { customerAccounts } from "../../server/shop/login/customer-accounts.ts";
import { createVisitors } from "../faults/visitors.ts";
import { buildPreviousRelease } from "../support/build-previous-release.ts";
import { startProcess, stopProcesses } from "../support/start-process.ts";
import { testLogger } from "../support/test-app.ts";
import { createStorePlace, openTestStore, type StorePlace } from "../support/test-store.ts";

const previous = buildPreviousRelease();
afterAll(() => {
  stopProcesses();
  rmSync(previous, { recursive: true });
});

const account = { email: "ada@shop.example", password: "correct horse battery staple" };

function start({ dataDir, databaseUrl }: StorePlace, folder = process.cwd()) {
  const place = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  return startProcess(
    { ...place, DEMO: "off", TRUST_PROXY: "127.0.0.1" },
    [process.execPath, join(folder, "dist/server/main.js")],
    folder,
  );
}

async function signIn(port: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/service/login/api/v1/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: `http://127.0.0.1:${port}`, "X-hunter-csrf": "1" },
    body: JSON.stringify(account),
  });
  return answer.status;
}

it.each(["SQLite", "PostgreSQL"])(
  "the release before runs on the tables of this one, and beside it, in %s",
  async (database) => {
    const { dataDir, databaseUrl } = await createStorePlace();
    const place = { dataDir, databaseUrl: database === "SQLite" ? undefined : databaseUrl };
    const { db } = await openTestStore(testLogger, place);
    await customerAccounts.add(db, account);
    const { acknowledged, signUp } = createVisitors();
    const now = await start(place).port;
    await signUp(now);
    expect(await signIn(now)).toBe(200);

    const before = await start(place, previous).port;
    await signUp(before);
    expect(await signIn(before)).toBe(200);
    const footer = await fetch(`http://127.0.0.1:${before}/fragments/footer?site=DE`);
    expect([footer.status, await footer.text()]).toEqual([200, expect.stringContaining("<footer")]);

    await signUp(now);
    const stored = await db.selectFrom("newsletterSubscription").select("email").execute();
    expect(new Set(stored.map(({ email }) => email))).toEqual(acknowledged);
    expect(acknowledged.size).toBe(3);
  },
);
