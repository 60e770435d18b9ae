import { faultHeading, faultHint, faultStyle } from "./fault-page.ts";

export const eventsPath = "/@dev/events";

/**
 * Reloads a page once it is outdated, and shows faults over the last good page. The script's address contains the
 * page's version. In a frame, the surrounding page does this. A hidden tab waits until it is shown, because a browser
 * opens only six connections to a host. Pages allow neither inline styles nor markup from strings.
 */
export const reloadScript = `if (window === top) {
  const address = "${eventsPath}" + new URL(document.currentScript.src).search;
  let events;
  let overlay;
  const add = (parent, name, text, className = "") =>
    parent.appendChild(Object.assign(document.createElement(name), { textContent: text, className }));
  const show = (faults) => {
    overlay?.remove();
    overlay = add(document.body, "div", "");
    const root = overlay.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(`${faultStyle} dialog { font: 16px/1.5 system-ui, sans-serif; width: min(60rem, 90vw); border: 1px solid #b3261e; border-radius: 6px; color: #1b1b1b; background: #fff }`)});
    root.adoptedStyleSheets = [sheet];
    const dialog = add(root, "dialog", "");
    add(dialog, "h1", ${JSON.stringify(faultHeading)}).id = "faults";
    dialog.setAttribute("aria-labelledby", "faults");
    for (const { fault, excerpt } of faults) {
      add(dialog, "pre", fault);
      if (excerpt) add(dialog, "pre", excerpt, "source");
    }
    add(dialog, "p", ${JSON.stringify(faultHint)});
    dialog.showModal();
  };
  const listen = () => {
    events?.close();
    if (document.hidden) return;
    events = new EventSource(address);
    events.onmessage = ({ data }) => (data === "reload" ? location.reload() : show(JSON.parse(data)));
  };
  document.addEventListener("visibilitychange", listen);
  listen();
}
`;
