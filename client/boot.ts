import { openConsentOnClick } from "./footer/consent-link.ts";

openConsentOnClick(document);
