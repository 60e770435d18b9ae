const forms = "[data-fragment] form[data-section=view-changer]";

/**
 * Sends the chosen view in the background and loads the page anew: the service would lead back to the address that the
 * browser tells it, which a host page may hide (test/browser/view-changer.test.ts). After a failure the form is sent as
 * it is without script.
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
 * Sends the chosen view.
 * @returns whether the service has kept it: its answer is a redirect then, which nobody needs to follow
 */
async function keepView(action: string, { name, value }: HTMLButtonElement): Promise<boolean> {
  const body = new URLSearchParams({ [name]: value });
  const answer = await fetch(action, { method: "POST", body, redirect: "manual" }).catch(() => undefined);
  return answer?.type === "opaqueredirect";
}
