import { second } from "../../../client/rules/time.ts";
import { checkSiteContent } from "../../sites/site-content.ts";
import { reportFaults } from "./answer.ts";
import type { Check } from "./check.ts";

/** Within the time that the service's start waits for it. */
const content = { method: "GET", path: "/service/footercontent/api/v1/content/{site}", within: 2 * second };
const unknown = { cookie: "StaffAuthToken=unknown; CobraAuthToken=unknown; PreviewContext=unknown" };

/** Checks the contents of all sites. No browser makes this call, so that the rules of other calls don't hold for it. */
export async function checkContent({ probe, shop }: Check): Promise<void> {
  await probe({ ...content, parts: { site: "UNKNOWN" } }, "of an unknown site", 404);
  for (const site of shop.countries.sites) {
    const ofSite = { ...content, parts: { site: site.site } };
    await probe({ ...ofSite, headers: unknown }, `of ${site.site} with unknown cookies`, 200, 404);
    const answer = await probe(ofSite, `of ${site.site}`, 200, 404);
    if (answer?.status !== 200 || !answer.isDescribed) continue;
    const checked = checkSiteContent(shop, site, answer.body, "");
    if (!checked.valid) reportFaults(checked.faults, answer.body, answer.differs);
  }
}
