import { sql } from "kysely";
import { expect, it } from "vitest";
import { createTestLog } from "../../support/test-log.ts";
import { openTestStore } from "../../support/test-store.ts";

it("a database that can only be read hasn't recovered, whatever is read", async () => {
  const { logger, lines } = createTestLog();
  const { db } = await openTestStore(logger);
  const setReadOnly = (value: "on" | "off") => sql`pragma query_only = ${sql.raw(value)}`.execute(db);
  const change = () => db.updateTable("abTest").set({ validFrom: 0 }).execute();
  const read = () => db.selectFrom("abTest").select("name").execute();
  const messages = () => lines.map(({ msg }) => msg);

  await setReadOnly("on");
  await expect(change()).rejects.toThrow("readonly");
  await read();
  expect(messages()).toEqual(["database statement failed"]);

  await setReadOnly("off");
  await change();
  expect(messages()).toEqual(["database statement failed", "database recovered"]);
});
