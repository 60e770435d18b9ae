import type { Env } from "../env.ts";
import { StartError } from "../errors.ts";
import { openSecurityEvents } from "../shop/open-security-events.ts";
import { revokeKeys, rotateKeys } from "../shop/rotate-keys.ts";
import { backUp, restore } from "../shop/store/backup.ts";
import { copyToPostgres } from "../shop/store/copy-to-postgres.ts";
import { sqliteFile } from "../shop/store/sqlite-file.ts";
import { defineCommand } from "./command.ts";

/** What is done with the store as a whole. */
export const storeCommands = [
  defineCommand({
    name: "keys rotate",
    does: "encrypts the store's keys by the first key-encryption key, and signs tokens with a new key",
    async run({ openStore, output }) {
      await output.say(await rotateKeys((await openStore()).db, Date.now()));
    },
  }),
  defineCommand({
    name: "keys revoke",
    does: "does the same, ends all sessions, and accepts nothing that was signed before",
    async run({ logger, openStore, output }) {
      const { db } = await openStore();
      await output.say(await revokeKeys(db, Date.now(), await openSecurityEvents(db, logger)));
    },
  }),
  defineCommand({
    name: "backup",
    argument: "<file>",
    does: "copies the SQLite database to a file",
    async run({ env, output, progress }, file) {
      refusePostgres(env, "pg_dump");
      progress.announceCopy(sqliteFile(env.dataDir));
      await output.say(backUp(env.dataDir, file));
    },
  }),
  defineCommand({
    name: "restore",
    argument: "<file>",
    does: "puts such a file back",
    async run({ env, output, progress }, file) {
      refusePostgres(env, "pg_restore");
      progress.announceCopy(file);
      await output.say(await restore(env.dataDir, file, new Date()));
    },
  }),
  defineCommand({
    name: "copy-to-postgres",
    does: "copies the SQLite database in DATA_DIR to the empty PostgreSQL database at DATABASE_URL",
    async run({ env, logger, output, progress }) {
      const lines = await copyToPostgres({ ...env, logger }, progress.report);
      await output.say(lines.join("\n"));
    },
  }),
];

function refusePostgres({ databaseUrl }: Env, tool: string): void {
  if (databaseUrl) throw new StartError([`DATABASE_URL is set: ${tool} does this for PostgreSQL`]);
}
