const forms = "[data-fragment] form[data-section=view-changer]";

/**
 * Sends the selected view in the background and reloads the page: the service could only redirect to the referrer, which
 * a host page may hide. After a failure the form is submitted as without script.
 */
export function changeViewInPlace(root: Document): void {
  let sent = false;

  async function send(event: SubmitEvent) {
    const { target: form, submitter: button } = event;
    if (!(form instanceof HTMLFormElement && form.matches(forms) && button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    if (sent) return;
    sent = true;
    if (await keepView(form.action, button)) return location.reload();
    root.removeEventListener("submit", send);
    form.requestSubmit(button);
  }

  root.addEventListener("submit", send);
}

/**
 * Sends the selected view.
 * @returns whether the service accepted it; it answers with a redirect, which isn't followed
 */
async function keepView(action: string, { name, value }: HTMLButtonElement): Promise<boolean> {
  const body = new URLSearchParams({ [name]: value });
  const answer = await fetch(action, { method: "POST", body, redirect: "manual" }).catch(() => undefined);
  return answer?.type === "opaqueredirect";
}

const openPanels = "[data-fragment] [data-section=country-switcher] details[open]";

/** Closes open country switchers on Escape, on a click outside and when the focus leaves them. */
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
    const link = event.target instanceof Element && event.target.closest("footer[data-fragment] a[data-consent]");
    if (!link) return;
    const open = new CustomEvent("storefront:consent-open", { cancelable: true });
    if (!window.dispatchEvent(open)) event.preventDefault();
  });
}
