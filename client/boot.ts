import { assignAbGroups } from "./footer/assign-ab-groups.ts";
import { openConsentOnClick } from "./footer/consent-link.ts";
import { closeCountrySwitchers } from "./footer/country-switcher.ts";
import { followPlatform } from "./footer/platform.ts";
import { startFooter } from "./footer/start-footer.ts";
import { changeViewInPlace } from "./footer/view-changer.ts";
import { onEachFragment } from "./host-page/on-each-fragment.ts";
import { oncePerPage } from "./host-page/once-per-page.ts";
import { createUniqueIds } from "./host-page/unique-ids.ts";
import { shopIslands } from "./island-components.ts";
import { createIslands } from "./islands/islands.ts";
import { startPreview } from "./preview/start-preview.ts";
import { startSessionUpkeep } from "./session/start-session-upkeep.ts";

oncePerPage(document, () => {
  openConsentOnClick(document);
  changeViewInPlace(document);
  closeCountrySwitchers(document);
  followPlatform(document);

  const islands = createIslands(shopIslands);
  const makeIdsUnique = createUniqueIds();
  let isFirstFooter = true;
  onEachFragment(document, (fragment) => {
    makeIdsUnique(fragment);
    if (fragment.matches("footer[data-fragment=footer]")) {
      startFooter(fragment);
      if (isFirstFooter) {
        assignAbGroups(document);
        startSessionUpkeep();
        startPreview(fragment);
      }
      isFirstFooter = false;
    }
    islands.watch(fragment);
  });
  islands.watch(document);
  islands.hydrateOnFocus(document);
});
