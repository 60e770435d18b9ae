import { seedDemoTest } from "../../server/features/abtests/embedded/demo-test.ts";
import type { AppContext } from "../../server/features/feature.ts";
import { seedDemoPromotions } from "../../server/features/promotion/embedded/demo-promotions.ts";
import type { Site } from "../../server/sites/countries.ts";
import type { Database } from "../../server/store/open-store.ts";

interface DemoShop {
  db: Database;
  sites: readonly Site[];
  texts: AppContext["texts"];
}

/** Adds the A/B test and the promotions of the demo. */
export async function seedDemo({ db, sites, texts }: DemoShop): Promise<void> {
  await seedDemoTest(db);
  await seedDemoPromotions(db, sites, texts, true);
}
