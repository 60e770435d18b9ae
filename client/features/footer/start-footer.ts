import { readCookies } from "../../host-page/read-cookies.ts";
import { chosenPlatforms } from "../../rules/platform.ts";
import { wantsReduced } from "../../rules/wants-reduced.ts";

/** Adapts a footer to what only the browser knows: the window, the cookies and the visitor. */
export function startFooter(footer: HTMLElement): void {
  startPlatform(footer);
  const cookies = readCookies(document.cookie);
  reduceFooter(footer, cookies);
  if (footer.dataset.variant) import("./exposure.ts").catch(() => {});
  if (!("LoginToken" in cookies)) return;
  // The browser has logged what it couldn't load. The newsletter stays.
  import("./hide-newsletter.ts").then(({ hideNewsletter }) => hideNewsletter(footer)).catch(() => {});
}

const offers = ["newsletter", "teasers", "seo", "social", "apps"];

/** Reduces a footer as the service does: an edge may request the fragment without the visitor's cookies. */
function reduceFooter(footer: HTMLElement, cookies: Record<string, string>): void {
  if (!wantsReduced(cookies)) return;
  footer.dataset.reduced = "true";
  for (const name of offers) footer.querySelector(`[data-section=${name}]`)?.remove();
}

/** Applies the layout that the visitor has selected, and sets the footer's platform attribute. */
function startPlatform(footer: HTMLElement): void {
  const chosen = chosenPlatforms.get(readCookies(document.cookie).platform);
  if (chosen) footer.dataset.layout = chosen;
  namePlatform(footer);
}

/**
 * Updates the platform of every footer when the window's width or the attribute of `<html>` changes. A changed width
 * overrides the platform that the service was asked for, but not the one that the visitor has selected.
 */
export function followPlatform(root: Document): void {
  const footers = () => root.querySelectorAll<HTMLElement>("footer[data-fragment=footer]");
  let width = innerWidth;

  function measure() {
    // On phones, keyboards and toolbars change the height alone.
    if (innerWidth === width) return;
    width = innerWidth;
    for (const footer of footers()) {
      delete footer.dataset.layout;
      startPlatform(footer);
    }
  }

  addEventListener("resize", measure);
  new MutationObserver(() => footers().forEach(namePlatform)).observe(root.documentElement, {
    attributeFilter: ["data-platform"],
  });
}

/**
 * Names the platform of the page or of the layout, or else the one for the window's width. Nothing moves, because the
 * stylesheet doesn't use this attribute.
 */
function namePlatform(footer: HTMLElement): void {
  const { platform } = document.documentElement.dataset;
  footer.dataset.platform =
    [platform, footer.dataset.layout].find((name) => name === "MATCH" || name === "TABLET" || name === "CLASSIC") ??
    (innerWidth < 768 ? "MATCH" : innerWidth < 1280 ? "TABLET" : "CLASSIC");
}

/** Requests the visitor's groups of A/B tests when the page has loaded. */
export function assignAbGroups(page: Document): void {
  if (page.readyState === "complete") requestAbGroups();
  else addEventListener("load", requestAbGroups);
}

/**
 * Requests the visitor's groups of A/B tests, which the service stores in cookies. Doesn't use `callService`, which
 * would be a tenth of the script of every page.
 */
function requestAbGroups(): void {
  fetch("/service/abtestfrontend/api/v1/getassignment", { priority: "low" })
    // Reading the answer frees the connection.
    .then((answer) => answer.text())
    .catch(() => {});
}

const forms = "[data-fragment] form[data-section=view-changer]";

/**
 * Sends the selected view in the background and reloads the page. A submitted form would be redirected to its referrer,
 * which a host page may hide. After a failure the form is submitted as it is without script.
 */
export function changeViewInPlace(root: Document): void {
  let sent = false;

  async function send(event: SubmitEvent) {
    const { target: form, submitter: button } = event;
    if (!(form instanceof HTMLFormElement && button instanceof HTMLButtonElement && form.matches(forms))) return;
    event.preventDefault();
    if (sent) return;
    sent = true;
    const body = new URLSearchParams({ [button.name]: button.value });
    // The service answers with a redirect, which isn't followed.
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => undefined);
    if (answer?.type === "opaqueredirect") return location.reload();
    root.removeEventListener("submit", send);
    form.requestSubmit(button);
  }

  root.addEventListener("submit", send);
}

const openPanels = "[data-fragment] [data-section=country-switcher] details[open]";

/** Closes open country switchers on Escape, on a click outside and when the focus leaves them. */
export function closeCountrySwitchers(root: Document): void {
  const panels = () => root.querySelectorAll<HTMLDetailsElement>(openPanels);

  function closeOthers({ target }: Event) {
    for (const panel of panels()) panel.open = target instanceof Node && panel.contains(target);
  }

  function closeOnEscape({ key }: KeyboardEvent) {
    if (key !== "Escape") return;
    for (const panel of panels()) {
      panel.open = false;
      panel.querySelector("summary")?.focus();
    }
  }

  // In the capture phase, because a host page may stop the click from bubbling.
  root.addEventListener("click", closeOthers, true);
  root.addEventListener("focusin", closeOthers);
  root.addEventListener("keydown", closeOnEscape);
}

/**
 * Lets the host page's consent manager handle the consent link: dispatches `storefront:consent-open` on window, and
 * follows the link unless a listener cancels the event. Listens on the document, which covers fragments inserted later.
 */
export function openConsentOnClick(root: Document): void {
  root.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("[data-fragment] [data-consent]");
    if (!link) return;
    if (!dispatchEvent(new CustomEvent("storefront:consent-open", { cancelable: true }))) event.preventDefault();
  });
}
