import { randomBytes } from "node:crypto";
import { afterAll, expect, it } from "vitest";
import { loadNewsletterKeys } from "../../../../../server/features/newsletter/embedded/newsletter-keys.ts";
import { storeReport } from "../../../../../server/features/newsletter/embedded/sender-reports.ts";
import { createSuppression } from "../../../../../server/features/newsletter/mail/suppression.ts";
import { rewrapLastingKeys } from "../../../../../server/store/lasting-keys.ts";
import { openNewsletter } from "../../../../support/newsletter-test.ts";
import { runCommand, storeVariables } from "../../../../support/run-command.ts";
import { onStore, startReplica, stopProcesses } from "../../../../support/start-process.ts";
import { createTestLog } from "../../../../support/test-log.ts";
import { createStorePlace, keysOf } from "../../../../support/test-store.ts";

// An idle machine needs a second for each start and command, a busy one many times that.
afterAll(stopProcesses);

/** Starts the newsletter again and again on one store, with other secrets. */
async function openRotation() {
  const bench = await openNewsletter();
  const { logger, lines } = createTestLog();
  const startWith = async (...given: Buffer[]) => {
    const secrets = keysOf(...given);
    lines.length = 0;
    await rewrapLastingKeys(bench.db, secrets, logger);
    const keys = await loadNewsletterKeys(bench.db, secrets);
    const context = { ...bench.context, keys, suppression: createSuppression(keys) };
    return {
      context,
      warnings: lines.map(({ msg, keys: count }) => [msg, count]),
      complain: (id: string, email: string) =>
        storeReport(context, id, { type: "subscription.complained", timestamp: "", data: { email } }),
      isSuppressed: async (email: string) =>
        (await context.suppression.find(bench.db, [email], bench.now())).has(email),
    };
  };
  return { ...bench, startWith };
}

const [oldest, middle, newest] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const lost = ["suppressed mailboxes of a removed secret get email again"];

it("a complaint still suppresses the mailbox, and its report is still known, after the secret was removed", async () => {
  const { startWith } = await openRotation();
  const before = await startWith(oldest);
  expect(await before.complain("report-1", "ada@shop.example")).toBe("complaint");
  for (const secrets of [[oldest, middle], [middle, oldest], [middle], [middle, newest], [newest, middle], [newest]]) {
    const { warnings, complain, isSuppressed } = await startWith(...secrets);
    expect(warnings).toEqual([]);
    expect(await isSuppressed("Ada+tag@shop.example")).toBe(true);
    expect(await complain("report-1", "other@shop.example")).toBeUndefined();
  }
  const { context, isSuppressed } = await startWith(newest);
  expect(await context.suppression.unsuppress(context.db, "ada@shop.example")).toBe(true);
  expect(await isSuppressed("ada@shop.example")).toBe(false);
});

it("a secret that is replaced in one step loses the mailboxes, says so, and finds them by a start with both", async () => {
  const { startWith } = await openRotation();
  await (await startWith(oldest)).complain("report-1", "ada@shop.example");
  const replaced = await startWith(newest);
  expect(replaced.warnings).toEqual([[...lost, 2]]);
  expect(await replaced.isSuppressed("ada@shop.example")).toBe(false);
  await startWith(newest, oldest);
  expect(await (await startWith(newest)).isSuppressed("ada@shop.example")).toBe(true);
});

it("the service keeps the mailboxes that commands have suppressed, and a command with earlier secrets spoils nothing", async () => {
  const place = await createStorePlace();
  const encode = (...secrets: Buffer[]) => secrets.map((secret) => secret.toString("base64")).join(",");
  const run = (secrets: string, ...words: string[]) =>
    runCommand({ ...storeVariables(place), SECRET_KEY: secrets }, ...words);
  await run(encode(oldest), "suppress", "ada@shop.example");
  const service = await startReplica({ ...onStore(place), SECRET_KEY: encode(newest, oldest) });
  await run(encode(oldest, newest), "suppress", "bob@shop.example");
  await service.stop();
  for (const name of ["ada", "bob"])
    expect(await run(encode(newest), "unsuppress", `${name}@shop.example`)).toMatchObject({ code: 0 });
});
