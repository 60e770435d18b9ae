import { describe, expect, it, vi } from "vitest";
import { findAccount } from "../../../server/accounts/accounts.ts";
import { call } from "../../support/preview-test.ts";
import { pipeToCommand, storeVariables } from "../../support/run-command.ts";
import { createTestApp, testLogger } from "../../support/test-app.ts";
import { createStorePlace, openTestStore } from "../../support/test-store.ts";

vi.setConfig({ testTimeout: 300_000 });

const place = await createStorePlace();
const store = await openTestStore(testLogger, place);
const { app } = await createTestApp({ store, trustProxy: ["loopback"] });

/** The end of a hash, after its parameters: a salt, and a hash of no password. */
const end = "$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg";

const lineOf = (email: string, passwordHash: string) => ({ kind: "customer", email, passwordHash });

/** Imports lines into the store, as an operator does while the service runs. */
const importLines = (...lines: object[]) =>
  pipeToCommand(
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    storeVariables(place),
    ...["accounts", "import", "-"],
  );

/** The status of a login by the form's call. */
const loginStatus = async (email: string, entered: string) =>
  (await call(app, "/service/login/api/v1/login").send({ email, password: entered })).status;

// Runs on one database only, because the cost of hashes doesn't depend on it.
describe("imported hashes", () => {
  it("are refused if they take more than four times as long as the service's own", async () => {
    const settings = ["$argon2id$v=19$m=8,t=999999999,p=1", "$scrypt$ln=17,r=8,p=1"];
    const { stdout, stderr } = await importLines(
      ...settings.map((text, index) => lineOf(`costly${index}@shop.example`, text + end)),
      lineOf("cheap@shop.example", `$argon2id$v=19$m=19456,t=4,p=1${end}`),
    );
    expect(stdout).toBe("1 added, 0 changed, 0 unchanged, 0 refused\n");
    const rule = "/passwordHash must take at most 4 times as long as the service's own hash, but ";
    const faults = settings.map((text, index) => expect.stringContaining(`line ${index + 1}: ${rule}${text} takes `));
    expect(stderr.trim().split("\n")).toEqual(faults);
  });

  it("take as long to refuse a wrong password as others and as addresses without an account", async () => {
    const tries = { least: 7, most: 33 };
    const kinds = {
      own: `$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$${"A".repeat(43)}`,
      light: `$argon2id$v=19$m=8,t=1,p=1${end}`,
      heavy: `$argon2id$v=19$m=19456,t=7,p=1${end}`,
      // Where new memory is slow, these take more than four times as long and are refused.
      large: `$argon2id$v=19$m=47104,t=1,p=1${end}`,
      scrypt: `$scrypt$ln=14,r=8,p=1${end}`,
    };
    const addressOf = (kind: string, index: number) => `${kind}${index}@timed.example`;
    const lines = Object.entries(kinds).flatMap(([kind, hash]) =>
      Array.from({ length: tries.most }, (_, index) => lineOf(addressOf(kind, index), hash)),
    );
    await importLines(...lines);
    const durations: Record<string, number[]> = { unknown: [] };
    for (const kind of Object.keys(kinds))
      if (await findAccount(store.db, "customer", addressOf(kind, 0))) durations[kind] = [];
    expect(Object.keys(durations)).toEqual(expect.arrayContaining(["own", "light", "heavy", "scrypt"]));
    const ratio = () => {
      const medians = Object.values(durations).map(
        (all) => all.toSorted((one, other) => one - other)[all.length >> 1] ?? 0,
      );
      return Math.max(...medians) / Math.min(...medians);
    };
    // Other work on the machine disturbs only few tries. A real difference remains.
    for (let index = 0; index < tries.least || (index < tries.most && ratio() >= 1.3); index++)
      for (const [kind, taken] of Object.entries(durations)) {
        // Two forms of one password: this one takes a second hash.
        const entered = index % 2 === 0 ? "wrong password" : "wrong passwor\u{1d55d}";
        const startedAt = performance.now();
        expect(await loginStatus(addressOf(kind, index), entered)).toBe(401);
        taken.push(performance.now() - startedAt);
      }
    expect(ratio(), JSON.stringify(durations)).toBeLessThan(1.3);
  });
});
