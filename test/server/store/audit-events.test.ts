import { userInfo } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { day } from "../../../client/rules/time.ts";
import { addAccount, findAccount } from "../../../server/accounts/accounts.ts";
import { createLoginThrottle } from "../../../server/accounts/login-throttle.ts";
import { createAudit, deleteExpiredAuditEvents, recordSecretKeys } from "../../../server/store/audit-events.ts";
import { createOutput } from "../../../server/store/command.ts";
import { importLines } from "../../../server/store/import-lines.ts";
import { call } from "../../support/preview-test.ts";
import { pipeToCommand, runCommand, storeVariables } from "../../support/run-command.ts";
import { collect, runOnStore } from "../../support/run-on-store.ts";
import { createTestApp, testLogger } from "../../support/test-app.ts";
import { createStorePlace, emptyTables, keysOf, openTestStore, testKeys } from "../../support/test-store.ts";
import { writeShop } from "../../support/write-shop.ts";

const place = await createStorePlace(emptyTables);
const store = await openTestStore(testLogger, place);
const { db } = store;
const password = "correct horse battery staple";

const run = (...words: string[]) => runOnStore(store, words);
const list = async (...options: string[]): Promise<Record<string, unknown>[]> =>
  JSON.parse(await runOnStore(store, ["audit", "list", ...options], true));

/** Returns the events that some work records, without their times and empty fields. */
async function recordedBy(work: () => Promise<unknown>) {
  await db.deleteFrom("auditEvent").execute();
  await work();
  return (await list()).map(({ at: _, ...event }) =>
    Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null)),
  );
}

const account = expect.stringMatching(/^[\w-]{16}$/);
const operator = "tester";

describe("the audit", () => {
  it("records what operators do to accounts, without an address", async () => {
    await addAccount(db, "staff", { email: "Eve@shop.example", password });
    const about = { operator, kind: "staff", account };
    expect(
      await recordedBy(async () => {
        for (const command of ["lock", "unlock", "sign-out", "remove"]) await run("staff", command, "eve@shop.example");
        await run("account", "sign-out-all");
      }),
    ).toEqual([
      { event: "authn_login_lock", ...about },
      { event: "authn_login_unlock", ...about },
      { event: "authn_token_revoked", ...about },
      { event: "user_deleted", ...about },
      { event: "authn_token_revoked", operator, kind: "customer" },
    ]);
    const rows = JSON.stringify(await db.selectFrom("auditEvent").selectAll().execute());
    expect(rows).not.toMatch(/eve@|shop\.example/i);
    expect(await list("--account", "EVE@shop.example")).toHaveLength(4);
    expect(await list("--account", "bob@shop.example")).toEqual([]);
  });

  it("records erasures, suppressions, imports and promotions, with the counts", async () => {
    const validFrom = "2026-12-01T00:00:00+01:00";
    const abTests = [{ name: "banner", groups: ["A", "B"], validFrom }];
    const folder = await writeShop({ "shop.json": { abTests }, "codes.txt": "CODE-1\nCODE-2\n" });
    const promotion = ["--headline", "Gifts", "--text", "For all.", "--link-url", "/gifts", "--link-text", "Gifts"];
    expect(
      await recordedBy(async () => {
        await run("erase", "ann@shop.example", "--suppress");
        await run("unsuppress", "ann@shop.example");
        await run("vouchers", "import", `${folder}/codes.txt`, "--site", "DE");
        await run("import", `${folder}/shop.json`);
        await run("promotions", "add", "--site", "DE", ...promotion, "--from", "2099-12-01");
        await run("promotions", "change", "DE-2099-12-01", "--text", "For you.");
        await run("promotions", "remove", "DE-2099-12-01");
        await run("accounts", "export");
      }),
    ).toEqual([
      { event: "data_erased", operator, account, counts: expect.objectContaining({ subscriptions: 0, accounts: 0 }) },
      { event: "mailbox_unsuppressed", operator, account },
      { event: "data_imported", operator, subject: "vouchers", site: "DE", counts: { added: 2, unchanged: 0 } },
      { event: "data_imported", operator, subject: "A/B tests and promotions", counts: { abTests: 1, promotions: 0 } },
      { event: "promotion_added", operator, site: "DE", subject: "DE-2099-12-01" },
      { event: "promotion_changed", operator, site: "DE", subject: "DE-2099-12-01" },
      { event: "promotion_removed", operator, site: "DE", subject: "DE-2099-12-01" },
      { event: "accounts_exported", operator },
    ]);
    expect(await run("audit", "list")).toMatch(
      /^at +event +operator +kind +account +site +subject +counts\n.*Z +data_imported +tester +- +- +DE +vouchers +added 2, unchanged 0\n/ms,
    );
  });

  it("names the operator, or the system's user, and lists events since a date", async () => {
    const variables = storeVariables(place);
    await recordedBy(async () => {
      await pipeToCommand(password, { ...variables, OPERATOR: "Ada, support" }, "staff", "add", "bob@shop.example");
      const { stderr } = await runCommand(
        { ...variables, OPERATOR: "Ada, support" },
        "staff",
        "lock",
        "bob@shop.example",
      );
      expect(JSON.parse(stderr)).toMatchObject({ event: "authn_login_lock", operator: "Ada, support" });
      await runCommand(variables, "staff", "unlock", "bob@shop.example");
    });
    expect((await list()).map(({ event, operator }) => [event, operator])).toEqual([
      ["user_created", "Ada, support"],
      ["authn_login_lock", "Ada, support"],
      ["authn_login_unlock", userInfo().username],
    ]);
    const date = (at: number) => new Date(at).toISOString().slice(0, 10);
    expect(await list("--since", date(Date.now() - day))).toHaveLength(3);
    expect(await list("--since", date(Date.now() + day))).toEqual([]);
    expect(await runCommand(variables, "audit", "list", "--since", "gestern")).toEqual({
      code: 2,
      stdout: "",
      stderr: "--since must be a date or a time, such as 2026-11-01, in UTC, or 2026-11-01T18:00:00Z\n",
    });
  });

  it("records nothing of a command that fails, and changes nothing that it can't record", async () => {
    await addAccount(db, "customer", { email: "kim@shop.example", password });
    expect(
      await recordedBy(async () => {
        for (const words of [
          ["account", "lock", "nobody@shop.example"],
          ["account", "sign-out", "kim@shop.example", "--session", "none"],
          ["account", "set", "kim@shop.example", "--salutation", "KING"],
          ["unsuppress", "kim@shop.example"],
        ])
          await expect(run(...words)).rejects.toThrow();
      }),
    ).toEqual([]);
    await db.schema.alterTable("auditEvent").renameTo("elsewhere").execute();
    onTestFinished(() => db.schema.alterTable("elsewhere").renameTo("auditEvent").execute());
    await expect(run("account", "lock", "kim@shop.example")).rejects.toThrow();
    expect((await findAccount(db, "customer", "kim@shop.example"))?.locked).toBe(0);
  });

  it("records an import that is interrupted, with what it has stored", async () => {
    const { stream } = collect();
    const folder = await writeShop({ "lines.txt": "one\ntwo\n" });
    const progress = createAudit(testKeys, operator).progress(db, { event: "data_imported", subject: "accounts" });
    const work = importLines<string>(`${folder}/lines.txt`, createOutput(stream, false), {
      read: (text) => ({ valid: true, data: text }),
      // A batch per line.
      keyOf: () => "same",
      store: async ([line]) => {
        if (line === "two") throw new Error("killed");
        return ["added"];
      },
      record: progress,
    });
    expect(await recordedBy(() => expect(work).rejects.toThrow("killed"))).toEqual([
      {
        event: "data_imported",
        operator,
        subject: "accounts",
        counts: { added: 1, changed: 0, unchanged: 0, refused: 0 },
      },
    ]);
  });

  it("records when staff sign in and are locked by wrong passwords, and nothing of customers", async () => {
    const email = "guy@shop.example";
    for (const kind of ["customer", "staff"] as const) await addAccount(db, kind, { email, password });
    for (const kind of ["customer", "staff"] as const)
      for (let attempt = 1; attempt <= 4; attempt++)
        await createLoginThrottle(db, testKeys, kind).countAttempt(email, Date.now());
    const { app } = await createTestApp({ store, trustProxy: ["loopback"] });
    const signIn = async (entered: string) => {
      await Promise.all([
        call(app, "/service/login/api/v1/login").send({ email, password: entered }),
        call(app, "/service/preview/api/auth/login").send({ user: email, password: entered }),
      ]);
    };
    expect(
      await recordedBy(async () => {
        await signIn("wrong password");
        await db.deleteFrom("rateLimit").execute();
        await signIn(password);
      }),
    ).toEqual([
      { event: "authn_login_lock", kind: "staff", account },
      { event: "authn_login_success", kind: "staff", account },
    ]);
  });

  it("records once that the service starts with other secrets", async () => {
    const [older, newer] = [Buffer.alloc(32, "older"), Buffer.alloc(32, "newer")];
    const events = await recordedBy(async () => {
      for (const secrets of [[older], [older], [older, newer], [newer, older], [newer]] as const) {
        const keys = keysOf(...secrets);
        await Promise.all([recordSecretKeys(db, keys), recordSecretKeys(db, keys)]);
      }
    });
    expect(events.map(({ event, operator }) => [event, operator])).toEqual(
      Array.from({ length: 4 }, () => ["secret_keys_changed", undefined]),
    );
  });

  it("is kept for a year, and the event of the secrets in use for longer", async () => {
    await recordedBy(async () => {
      await createAudit(testKeys, operator).record(db, { event: "user_created" });
      await recordSecretKeys(db, testKeys);
    });
    await deleteExpiredAuditEvents(db, Date.now() + 364 * day);
    expect(await list()).toHaveLength(2);
    await deleteExpiredAuditEvents(db, Date.now() + 367 * day);
    expect((await list()).map(({ event }) => event)).toEqual(["secret_keys_changed"]);
  });
});
