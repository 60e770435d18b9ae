const openPanels = "[data-fragment] [data-section=country-switcher] details[open]";

/** Closes open country switchers on Escape, on a click elsewhere and when the focus has left them. */
export function closeCountrySwitchers(root: Document): void {
  const panels = () => root.querySelectorAll<HTMLDetailsElement>(openPanels);

  function closeOthers({ target }: Event) {
    for (const panel of panels()) {
      if (!(target instanceof Node && panel.contains(target))) panel.open = false;
    }
  }

  function closeOnEscape({ key }: KeyboardEvent) {
    if (key !== "Escape") return;
    for (const panel of panels()) {
      panel.open = false;
      panel.querySelector("summary")?.focus();
    }
  }

  // In the capture phase, as a host page may stop a click on its way up: test/browser/country-switcher.test.ts
  root.addEventListener("click", closeOthers, true);
  root.addEventListener("focusin", closeOthers);
  root.addEventListener("keydown", closeOnEscape);
}
