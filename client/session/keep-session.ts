import { outcome } from "./outcome.ts";
import type { Channel, Tab } from "./tab.ts";
import { createUpkeep } from "./upkeep.ts";

const activity = ["touchstart", "keydown", "scroll", "click"];

/**
 * Keeps the visitor's session alive while the tab is shown and used. It listens until the session can't be renewed any
 * more, and begins anew when the page comes back from the back-forward cache or another tab has renewed the session.
 */
export function keepSession(tab: Tab): void {
  let channel: Channel | undefined;
  let listening = new AbortController();
  const upkeep = createUpkeep(tab, {
    tell: (news) => channel?.postMessage(news),
    end: () => listening.abort(),
  });

  function listen() {
    listening.abort();
    listening = new AbortController();
    // A host page may stop events before they bubble up to the window: test/browser/session.test.ts
    const options = { signal: listening.signal, capture: true, passive: true };
    for (const type of [...activity, "visibilitychange"]) tab.addEventListener(type, upkeep.check, options);
    tab.addEventListener("online", upkeep.checkAnew, options);
  }

  function hear(news: unknown) {
    if (news === outcome.renewed) listen();
    if (!listening.signal.aborted) upkeep.hear(news);
  }

  function show() {
    if (channel) return;
    channel = new tab.BroadcastChannel("storefront.session");
    channel.onmessage = ({ data }) => hear(data);
    listen();
    upkeep.checkAnew();
  }

  // An open channel or a call under way would keep the page out of the back-forward cache:
  // test/client/session/page-lifecycle.test.ts
  function hide() {
    upkeep.leave();
    listening.abort();
    channel?.close();
    channel = undefined;
  }

  tab.addEventListener("pagehide", hide);
  tab.addEventListener("pageshow", show);
  show();
}
