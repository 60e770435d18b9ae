import { openConsentOnClick } from "./footer/consent-link.ts";
import { closeCountrySwitchers } from "./footer/country-switcher.ts";
import { followPlatform } from "./footer/platform.ts";
import { startFooter } from "./footer/start-footer.ts";
import { changeViewInPlace } from "./footer/view-changer.ts";
import { onEachFragment } from "./fragments.ts";
import { hydrateOnFocus, watchIslands } from "./islands/islands.ts";
import { oncePerPage } from "./once-per-page.ts";
import { startPreview } from "./preview/start-preview.ts";
import { startSession } from "./session/start-session.ts";
import { createUniqueIds } from "./unique-ids.ts";

oncePerPage(document, () => {
  openConsentOnClick(document);
  changeViewInPlace(document);
  closeCountrySwitchers(document);
  followPlatform(document);

  const makeIdsUnique = createUniqueIds();
  onEachFragment(document, (fragment) => {
    makeIdsUnique(fragment);
    if (fragment.matches("footer[data-fragment=footer]")) {
      startFooter(fragment);
      startSession();
      startPreview(fragment);
    }
    watchIslands(fragment);
  });
  watchIslands(document);
  hydrateOnFocus(document);
});
