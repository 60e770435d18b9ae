import { type Acceptance, createMessageSender } from "../../../upstream/message-sender.ts";
import { findPage } from "./find-page.ts";
import { type PurgeForm, sendTimeout } from "./purge-form.ts";

/** Creates the sender of `PURGE` with `Surrogate-Key`, as the recipe for Varnish expects it. */
export function createVarnish(url: string): PurgeForm {
  const sender = createMessageSender("PURGE", url, sendTimeout, findForeignPage);
  return {
    tagsPerRequest: 1,
    send: (purges) => sender.send({ "surrogate-key": purges.map(({ tag }) => tag).join(" ") }),
    close: sender.close,
  };
}

/** Varnish's own page is what `return (synth(200))` of a VCL sends. */
function findForeignPage(answer: Acceptance): string | undefined {
  return answer.headers.server === "Varnish" ? undefined : findPage(answer);
}
