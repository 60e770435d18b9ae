import {
  assignAbGroups,
  changeViewInPlace,
  closeCountrySwitchers,
  followPlatform,
  openConsentOnClick,
  startFooter,
} from "./features/footer/start-footer.ts";
import { startPreview } from "./features/preview/start-preview.ts";
import { startSessionUpkeep } from "./features/session/start-session-upkeep.ts";
import { createUniqueIds, oncePerPage, onEachFragment } from "./host-page/fragments.ts";
import { shopIslands } from "./island-components.ts";
import { startIslands } from "./islands/islands.ts";

oncePerPage(document, () => {
  openConsentOnClick(document);
  changeViewInPlace(document);
  closeCountrySwitchers(document);
  followPlatform(document);

  const watchIslands = startIslands(document, shopIslands);
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
    watchIslands(fragment);
  });
  watchIslands(document);
});
