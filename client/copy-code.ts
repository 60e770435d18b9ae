import { type Milliseconds, second } from "./rules/time.ts";

/** How long a message is shown. */
const shown: Milliseconds = 5 * second;
/** Screen readers notice a message only when the region was empty for a moment. */
const emptied: Milliseconds = 50;

enableCopyButtons(document);

/** Shows the copy buttons if the browser has a clipboard, which needs HTTPS. */
function enableCopyButtons(page: Document) {
  const status = page.querySelector<HTMLElement>("[data-copy-status]");
  if (!navigator.clipboard || !status) return;
  const say = createAnnouncer(status);
  for (const button of page.querySelectorAll<HTMLElement>("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = page.getElementById(button.dataset.copy ?? "")?.textContent ?? "";
      try {
        await navigator.clipboard.writeText(code);
        say(status.dataset.done);
      } catch {
        say(status.dataset.failed);
      }
    });
  }
}

/** Announces messages in a live region. Empties it before each, because screen readers announce changes only. */
function createAnnouncer(status: HTMLElement) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (message = "") => {
    clearTimeout(timer);
    status.textContent = "";
    timer = setTimeout(() => {
      status.textContent = message;
      timer = setTimeout(() => {
        status.textContent = "";
      }, shown);
    }, emptied);
  };
}
