import { StartError } from "../errors.ts";
import { dropMail, listMails, mailStates, retryMails } from "../shop/mail/operate-mails.ts";
import { defineCommand } from "./command.ts";

/** What is done about mails in the outbox. */
export const mailCommands = [
  defineCommand({
    name: "mails list",
    options: { state: { type: "string", value: "<state>", does: `${mailStates.join(" or ")}; without it, both` } },
    does: "lists the mails that wait or were given up",
    async run({ openStore, output }, _none, { state }) {
      const states = mailStates.filter((known) => state === undefined || known === state);
      if (states.length === 0) throw new StartError([`--state must be ${mailStates.join(" or ")}`]);
      await output.list(await listMails((await openStore()).db, states));
    },
  }),
  defineCommand({
    name: "mails retry",
    argument: "<id>",
    does: "sends a mail that waits or was given up within ten seconds",
    async run({ openStore, output }, id) {
      const { db } = await openStore();
      if ((await retryMails(db, Date.now(), id)) === 0) throw new StartError([`there is no mail ${id} to send`]);
      await output.say(`${id} is sent within ten seconds`);
    },
  }),
  defineCommand({
    name: "mails retry-all",
    does: "does so for all that were given up",
    async run({ openStore, output }) {
      const count = await retryMails((await openStore()).db, Date.now());
      await output.say(`${count} mails are tried again`);
    },
  }),
  defineCommand({
    name: "mails drop",
    argument: "<id>",
    does: "gives a mail up for good",
    async run({ openStore, output }, id) {
      const { db } = await openStore();
      if (!(await dropMail(db, Date.now(), id)))
        throw new StartError([`there is no mail ${id} that waits or was given up`]);
      await output.say(`${id} dropped`);
    },
  }),
];
