/** What the service's footer shows of the site that the servers here answer for. */
import { readFileSync } from "node:fs";

export const props = JSON.parse(readFileSync(new URL("built/footer-props.json", import.meta.url), "utf8"));
