import type { Command } from "commander";
import type { AccountLine } from "../../schemas/types.ts";
import type { Run } from "../store/command.ts";
import { batchSize } from "../store/housekeeping.ts";
import { importLines, type LineResult, readJson } from "../store/import-lines.ts";
import { type Database, inTransaction } from "../store/open-store.ts";
import { type Account, addAccounts, loginNameOf } from "./accounts.ts";
import { createCostCheck, mostCost } from "./hash-cost.ts";

/** Adds the commands that move the accounts of customers and staff from one store to another. */
export function moveAccountCommands(program: Command, run: Run): void {
  const accounts = program.command("accounts");
  accounts
    .command("export")
    .description("print all accounts with the hashes of their passwords, as one JSON object per line")
    .action(
      run(async ({ audit, openStore, output }) => {
        const { db } = await openStore();
        await audit.record(db, { event: "accounts_exported" });
        for await (const lines of exportAccounts(db))
          await output.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      }),
    );
  accounts
    .command("import <file>")
    .description("add accounts from such lines; those that exist stay as they are")
    .addHelpText("after", importHelp)
    .action(
      run(async ({ audit, env, openStore, output }, file: string) => {
        const { db } = await openStore();
        const hashFaultOf = createCostCheck();
        const store = (lines: readonly AccountLine[]) => importAccounts(db, lines, hashFaultOf, env.demo);
        await importLines<AccountLine>(file, output, {
          read: readJson("account-line"),
          keyOf: keyOfLine,
          store,
          record: audit.progress(db, { event: "data_imported", subject: "accounts" }),
        });
      }),
    );
}

const importHelp = `
<file> has a JSON object by schemas/account-line.schema.json per line; - is standard input. An example:
  {"kind":"customer","email":"ada@shop.example","passwordHash":"$argon2id$v=19$m=19456,t=2,p=1$…$…","firstName":"Ada"}
Hashes are Argon2id or scrypt in the PHC string format, with up to 128 MiB of memory, and take at most ${mostCost} times
as long as the service's own, which the import measures. Import where the service runs.
An account that exists keeps its password and all else, and counts as unchanged: after an interruption, import again.
A demo account, whose password may be widely known, is refused outside the demo.
Faulty lines are named on standard error, the others are imported, and the exit code is 1.`;

/** Reads all accounts page by page, ordered by id, so that an account that exists throughout is read exactly once. */
async function* exportAccounts(db: Database) {
  let last = "";
  for (let isMore = true; isMore; ) {
    const page = db.selectFrom("account").selectAll().where("id", ">", last).orderBy("id").limit(batchSize);
    const rows = await page.execute();
    yield rows.map(toLine);
    last = rows.at(-1)?.id ?? last;
    isMore = rows.length === batchSize;
  }
}

function toLine({ kind, email, passwordHash, salutation, firstName, lastName, consents, locked, demo }: Account) {
  const profile = { salutation, firstName, lastName, consents: JSON.parse(consents) };
  return { kind, email, passwordHash, ...profile, locked: locked === 1, demo: demo === 1 };
}

const keyOf = (kind: string, loginName: string) => `${kind} ${loginName}`;
const keyOfLine = ({ kind, email }: AccountLine) => keyOf(kind, loginNameOf(email));

/** Adds the accounts of lines. Existing accounts stay as they are. */
async function importAccounts(
  db: Database,
  lines: readonly AccountLine[],
  hashFaultOf: (passwordHash: string) => Promise<string | undefined>,
  isDemo: boolean,
): Promise<LineResult[]> {
  const isRefused = ({ demo = false }: AccountLine) => demo && !isDemo;
  const hashFaults = new Map<AccountLine, string>();
  for (const line of lines) {
    const fault = await hashFaultOf(line.passwordHash);
    if (fault !== undefined) hashFaults.set(line, fault);
  }
  const right = lines.filter((line) => !hashFaults.has(line) && !isRefused(line));
  const rows = right.length > 0 ? await inTransaction(db, (transaction) => addAccounts(transaction, right)) : [];
  const added = new Set(rows.map(({ kind, loginName }) => keyOf(kind, loginName)));
  return lines.map((line) => {
    const fault = hashFaults.get(line);
    if (fault !== undefined) return { faults: [`/passwordHash ${fault}`] };
    if (isRefused(line)) return { refused: "is a demo account" };
    return added.has(keyOfLine(line)) ? "added" : "unchanged";
  });
}
