const forms = '[data-fragment] form[data-section="view-changer"]';

/**
 * Sends the chosen view beside the page and loads the page anew: so the visitor keeps address and place even where
 * the host page hides its address from the service. After a failure the forms are sent as without script.
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

/** @returns whether the service has kept the view: then it leads back, which nobody needs to follow */
async function keepView(action: string, { name, value }: HTMLButtonElement): Promise<boolean> {
  try {
    const body = new URLSearchParams({ [name]: value });
    return (await fetch(action, { method: "POST", body, redirect: "manual" })).type === "opaqueredirect";
  } catch {
    return false;
  }
}
