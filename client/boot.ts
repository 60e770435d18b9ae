import { openConsentOnClick } from "./footer/consent-link.ts";
import { followPlatform } from "./footer/platform.ts";
import { reduceByCookie } from "./footer/reduced-mode.ts";
import { hydrateOnFocus, watchIslands } from "./islands/islands.ts";

openConsentOnClick(document);
reduceByCookie(document);
followPlatform(document);
watchIslands(document);
hydrateOnFocus(document);
