import { readFileSync } from "node:fs";
import type { EdgePurging } from "../../../config/env.ts";
import { createCloudflare } from "./cloudflare.ts";
import { createFastly } from "./fastly.ts";
import type { PurgeForm } from "./purge-form.ts";
import { createVarnish } from "./varnish.ts";
import { createPurgeWebhook } from "./webhook.ts";

/** Creates the form in which the edge of the environment is asked to purge. */
export function openForm({ url, form, secret, secretFile = "" }: EdgePurging): PurgeForm {
  const token = () => secret ?? readFileSync(secretFile, "utf8").trim();
  switch (form) {
    case "varnish":
      return createVarnish(url);
    case "fastly":
      return createFastly(url, token());
    case "cloudflare":
      return createCloudflare(url, token());
    case "webhook":
      return createPurgeWebhook(url, { secret: token(), secretFile: undefined });
  }
}
