import type { Command } from "commander";
import { StartError, UsageError } from "../../../platform/errors.ts";
import type { Run } from "../../../store/command.ts";
import { dropMail, listMails, mailStates, retryMails } from "../mail/outbox.ts";

/** Adds the commands for queued and failed emails. */
export function addMailCommands(mails: Command, run: Run): void {
  mails
    .command("list")
    .description("list emails that wait or have failed")
    .option("--state <state>", `${mailStates.join(" or ")}; without it, both`)
    .action(
      run(async ({ openStore, output }, { state }: { state?: string }) => {
        const wanted = mailStates.find((known) => known === state);
        if (state !== undefined && !wanted) throw new UsageError([`--state must be ${mailStates.join(" or ")}`]);
        await output.list(await listMails((await openStore()).db, wanted));
      }),
    );
  mails
    .command("retry <id>")
    .description("send a waiting or failed email within ten seconds")
    .action(
      run(async ({ openStore, output }, id: string) => {
        const { db } = await openStore();
        if ((await retryMails(db, Date.now(), id)) === 0) throw new StartError([`there is no mail ${id} to send`]);
        await output.say(`${id} is sent within ten seconds`);
      }),
    );
  mails
    .command("retry-all")
    .description("send all failed emails again")
    .action(
      run(async ({ openStore, output }) => {
        const count = await retryMails((await openStore()).db, Date.now());
        await output.say(`${count} mails are tried again`);
      }),
    );
  mails
    .command("drop <id>")
    .description("delete an email without sending it")
    .action(
      run(async ({ openStore, output }, id: string) => {
        const { db } = await openStore();
        if (!(await dropMail(db, Date.now(), id))) throw new StartError([`no queued or failed mail ${id}`]);
        await output.say(`${id} dropped`);
      }),
    );
}
