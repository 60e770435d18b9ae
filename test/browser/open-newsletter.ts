import type { Locator, Page } from "playwright";
import type { Site } from "../../server/sites/countries.ts";
import { type Answer, answerRequests, type PausedRequest } from "./answer-requests.ts";
import { expect } from "./expect.ts";
import type { Shop } from "./start-shop.ts";

export const address = "anna@example.com";

/** Shows the demo shop of a site, and waits until the newsletter block of its footer is hydrated. */
export async function openNewsletter(page: Page, shop: Shop, site: Site): Promise<Locator> {
  await page.goto(shop.address(site));
  return readyBlock(page);
}

/** Returns the newsletter block of the page, in view and hydrated. */
export async function readyBlock(page: Page): Promise<Locator> {
  const island = page.locator("[data-island=newsletter]");
  await wake(island);
  return island;
}

/** Wakes an island as a focus would, without focusing a field, and waits until it is hydrated. */
export async function wake(island: Locator): Promise<void> {
  await island.scrollIntoViewIfNeeded();
  await expect(async () => {
    if ((await island.getAttribute("data-island-state")) === "idle") await island.dispatchEvent("focusin");
    await expect(island).toHaveAttribute("data-island-state", "ready");
  }).toPass();
}

/**
 * Answers sign-ups instead of the service.
 * @returns the sign-ups; the list grows
 */
export async function answerSignUps(
  page: Page,
  answer: Answer = { status: 202, json: { status: "ACCEPTED" } },
): Promise<PausedRequest[]> {
  const sent: PausedRequest[] = [];
  await answerRequests(page, "*/service/newsletter/api/*/newsletter-subscribers", async (request) => {
    sent.push(request);
    await request.fulfill(answer);
  });
  return sent;
}

/** Fills in the fields that the country requires. */
export async function fillInRequired(block: Locator, { newsletter }: Site): Promise<void> {
  await block.locator("[name=email]").fill(address);
  if (newsletter.salutation === "required") await block.locator("[name=salutation]").selectOption("MRS");
  if (newsletter.names === "required") {
    await block.locator("[name=firstName]").fill("Anna");
    await block.locator("[name=lastName]").fill("Beispiel");
  }
  if (newsletter.legals) await block.locator("[name=consents][value=NEWSLETTER]").check();
}

/** Submits a form as a password manager or another script of the page does, whatever the state of its button. */
export function submitByScript(form: Locator): Promise<void> {
  return form.evaluate((element: HTMLFormElement) => element.requestSubmit());
}

/** Returns the message of a field, as screen readers read it. */
export function messageOf(field: Locator): Promise<string> {
  return field.evaluate((control) => {
    const ids = control.getAttribute("aria-describedby")?.split(" ") ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
  });
}
