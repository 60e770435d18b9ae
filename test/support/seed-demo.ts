import { seedDemoTest } from "../../server/features/abtests/index.ts";
import type { AppContext } from "../../server/features/feature.ts";
import { seedDemoPromotions } from "../../server/features/promotion/index.ts";
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
