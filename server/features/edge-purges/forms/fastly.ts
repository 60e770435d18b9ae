import { createMessageSender } from "../../../upstream/message-sender.ts";
import { findPage } from "./find-page.ts";
import { type PurgeForm, sendTimeout } from "./purge-form.ts";

/**
 * Creates the sender of Fastly's batch purge. It is soft: copies become stale, so a footer stays if the service fails.
 * https://www.fastly.com/documentation/reference/api/purging/#bulk-purge-tag
 * @param url - `https://api.fastly.com/service/<id>/purge`
 */
export function createFastly(url: string, token: string): PurgeForm {
  const sender = createMessageSender("POST", url, sendTimeout, findPage);
  const headers = { "fastly-key": token, "fastly-soft-purge": "1", accept: "application/json" };
  return {
    tagsPerRequest: 256,
    send: (purges) => sender.send({ ...headers, "surrogate-key": purges.map(({ tag }) => tag).join(" ") }),
    close: sender.close,
  };
}
