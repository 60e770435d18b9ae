import type { Site } from "../../server/sites/countries.ts";
import { countries } from "./test-app.ts";

/** The site of a code, which must be there. */
export function siteOf(code: string): Site {
  const site = countries.get(code);
  if (!site) throw new Error(`there is no site ${code}`);
  return site;
}
