import { second } from "../../client/rules/time.ts";
import { exportConsent } from "../../server/features/newsletter/embedded/export-subscribers.tsx";
import { eraseAddress } from "../../server/features/newsletter/erase-address.ts";
import { callerOf, lastMail, openNewsletter, signUpOf, subscriptionOf, tablesWith } from "./newsletter-test.ts";
import { runOnStore } from "./run-on-store.ts";
import { testLogger } from "./test-app.ts";
import { closeTestStores, openTestStore, testKeys } from "./test-store.ts";

/**
 * Signs two addresses up with a value of a field. One confirms, changes the value, unsubscribes and is erased; the other
 * refuses.
 * @returns the value in each place
 */
export async function followField(field: string, value: string, changed: string) {
  const store = await openTestStore(testLogger);
  const { db } = store;
  const { newsletter, now, pass } = await openNewsletter(db, { hasReceiver: true });
  const caller = callerOf("DE");
  const [owner, stranger] = ["owner@shop.example", "stranger@shop.example"];
  const valueIn = (data: object): unknown => new Map(Object.entries(data)).get(field);
  const stored = async (email: string) => valueIn({ ...(await subscriptionOf(db, email)) });
  const signUp = async (email: string) => {
    await newsletter.subscribe(signUpOf(email, { [field]: value }), caller);
    return (await lastMail(db, email, "confirm")).subscriberToken;
  };
  try {
    await newsletter.refuse(await signUp(stranger), caller);
    const token = await signUp(owner);
    const signedUp = await stored(owner);
    await newsletter.confirm(token, caller);
    pass(second);
    await newsletter.change(token, { [field]: changed }, caller);
    const changedTo = await stored(owner);
    const [proof] = await exportConsent(db, owner);
    const csv = await runOnStore(store, ["subscribers", "export"]);
    const [names = [], cells = []] = csv.split("\r\n").map((line) => line.split(","));
    const sent = await db.selectFrom("newsletterEvent").select("data").orderBy("position").execute();
    await newsletter.unsubscribe(token, caller);
    const [unsubscribed, refused] = [await stored(owner), await stored(stranger)];
    for (const email of [owner, stranger]) await eraseAddress(db, testKeys, email, "none", now());
    return {
      ...{ signedUp, changedTo, unsubscribed, refused },
      proof: proof?.records.map(({ declaration }) => valueIn(declaration)),
      exported: cells[names.indexOf(field)],
      events: sent.map(({ data }) => valueIn(JSON.parse(data))),
      tablesAfterErasure: [...(await tablesWith(db, value)), ...(await tablesWith(db, changed))],
    };
  } finally {
    await closeTestStores();
  }
}
