import { type Acceptance, createMessageSender } from "../../../upstream/message-sender.ts";
import { findPage } from "./find-page.ts";
import { type PurgeForm, sendTimeout } from "./purge-form.ts";

/**
 * Creates the sender of Cloudflare's purge by tags: https://developers.cloudflare.com/api/resources/cache/methods/purge/,
 * https://developers.cloudflare.com/cache/how-to/purge-cache/#limits
 * @param url - `https://api.cloudflare.com/client/v4/zones/<id>/purge_cache`
 */
export function createCloudflare(url: string, token: string): PurgeForm {
  const sender = createMessageSender("POST", url, sendTimeout, (answer) => findPage(answer) ?? findRefusal(answer));
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    tagsPerRequest: 100,
    send: (purges) => sender.send(headers, JSON.stringify({ tags: purges.map(({ tag }) => tag) })),
    close: sender.close,
  };
}

/** Every answer of Cloudflare says whether it is a success: https://developers.cloudflare.com/fundamentals/api/ */
function findRefusal({ body }: Acceptance): string | undefined {
  try {
    return JSON.parse(body).success === true ? undefined : "the answer says that nothing was purged";
  } catch {
    return "the answer isn't Cloudflare's";
  }
}
