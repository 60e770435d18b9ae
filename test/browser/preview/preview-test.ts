import { addAccount } from "../../../server/accounts/accounts.ts";
import { seedDemo } from "../../support/seed-demo.ts";
import { texts } from "../../support/test-app.ts";
import { test as base } from "../shop-test.ts";

/** Signs in to the preview. */
export const staff = { user: "staff@example.com", password: "correct horse battery staple" };

/** A test of which the shop has a member of staff, A/B tests and promotions, too. */
export const test = base.extend("staff", { scope: "file", auto: true }, async ({ shop }) => {
  await addAccount(shop.store.db, "staff", { email: staff.user, password: staff.password });
  await seedDemo({ db: shop.store.db, sites: shop.sites, texts });
});
