import fc from "fast-check";
import { errors, type Locator, type Page } from "playwright";
import { second } from "../../client/rules/time.ts";
import { viewports } from "../browser/viewports.ts";

export const demoPassword = "correct horse battery staple";
export const hosts = ["de", "ch-fr", "pl", "tr", "at"].map((name) => `${name}.localhost`);
export const windows = Object.values(viewports);

/** Texts that a visitor may enter into any field. */
const texts = [
  "",
  " ",
  "Ada",
  "ada@",
  "demo@example.com",
  "Łucja Çelik-O'Neill",
  '"><script>alert(1)</script>',
  "javascript:alert(1)",
  "' or 1=1; --",
  "{{email}} $t(title) %s",
  "\u202e\u0000\ud83d\ude00",
  "x".repeat(3_000),
];

const paths = [
  "/",
  "/login",
  "/m/login",
  "/preview",
  "/subscribenewsletter",
  "/login?redirect=//evil.example",
  "/unknown",
];
const keys = ["Tab", "Tab", "Shift+Tab", "Enter", "Space", "Escape", "ArrowDown", "Home", "a"];

/** Controls of the islands, forms and dialogs. */
const within = ["[data-island]", "form", "dialog", "[role=dialog]", "details"];
const controls = within
  .flatMap((part) => [`${part} button`, `${part} input`, `${part} select`, `${part} summary`])
  .join();
const links = "a[href]";

const actions = {
  key: 4,
  use: 8,
  enter: 4,
  choose: 1,
  follow: 1,
  go: 2,
  back: 1,
  reload: 1,
  resize: 1,
  offline: 1,
  signUp: 3,
  signIn: 1,
  preview: 2,
};

/** A step: an action, and a number that decides the rest. */
export const randomSteps = fc.record({
  action: fc.oneof(
    ...Object.entries(actions).map(([action, weight]) => ({
      arbitrary: fc.constant(action as keyof typeof actions),
      weight,
    })),
  ),
  number: fc.nat(10_000),
});

export interface Step {
  action: keyof typeof actions;
  number: number;
}

interface Visitor {
  /** The origin of the shop. */
  shop: string;
  /** The name of a visitor who signs up in this step. */
  name: string;
}

/** If a control takes longer, for example because it is covered, the visitor does something else. */
const patience = 2 * second;

/**
 * Takes a step.
 * @returns what was done, undefined if the page has nothing for it; and the fault, if the step loses the focus
 */
export async function takeStep(page: Page, step: Step, visitor: Visitor): Promise<{ did?: string; fault?: string }> {
  try {
    const did = await takers[step.action](page, step.number, visitor);
    if (!did) return {};
    const keepsFocus = ["use", "enter", "choose", "signUp"].includes(step.action);
    if (!keepsFocus || (await hasFocus(page))) return { did };
    return { did, fault: `the focus is lost by ${await findLoser(page)}` };
  } catch (error) {
    // Something covers the control, or another page has replaced it.
    if (error instanceof errors.TimeoutError) return {};
    if (error instanceof Error && /ERR_|navigat|destroyed|detached|not attached/i.test(error.message)) return {};
    throw error;
  }
}

const takers: Record<Step["action"], (page: Page, number: number, visitor: Visitor) => Promise<string | undefined>> = {
  async key(page, number) {
    const key = pick(keys, number);
    await page.keyboard.press(key);
    return key;
  },
  async use(page, number) {
    const control = await pickVisible(page.locator(controls), number);
    if (!control) return;
    const name = await nameOf(control);
    // A click focuses some controls and leaves others, such as a field beside its button.
    await control.focus({ timeout: patience });
    await mark(page);
    await control.click({ timeout: patience });
    return `use ${name}`;
  },
  async enter(page, number) {
    const field = await pickVisible(
      page.locator("input:is([type=text], [type=email], [type=password], :not([type]))"),
      number,
    );
    if (!field || !(await field.isEditable())) return;
    await mark(page);
    const text = pick(texts, number >> 3);
    await field.focus({ timeout: patience });
    await field.fill(text, { timeout: patience });
    return `enter ${JSON.stringify(text.slice(0, 30))}`;
  },
  async choose(page, number) {
    const select = await pickVisible(page.locator("select"), number);
    if (!select) return;
    await mark(page);
    await select.focus({ timeout: patience });
    const count = await select.locator("option").count();
    // Another page may have replaced it.
    if (count === 0) return;
    await select.selectOption({ index: (number >> 4) % count }, { timeout: patience });
    return "choose";
  },
  async follow(page, number) {
    const link = await pickVisible(page.locator(links), number);
    await link?.click({ timeout: patience });
    return link && "follow";
  },
  async go(page, number, { shop }) {
    const path = pick(paths, number);
    await page.goto(shop + path);
    return path;
  },
  async back(page, number, { shop }) {
    await (number % 3 === 0 ? page.goForward() : page.goBack());
    if (!page.url().startsWith(shop)) await page.goto(shop);
    return number % 3 === 0 ? "forward" : "back";
  },
  async reload(page) {
    await page.reload();
    return "reload";
  },
  async resize(page, number) {
    const size = pick(windows, number);
    await page.setViewportSize(size);
    return `resize to ${size.width}`;
  },
  async offline(page, number) {
    await page.context().setOffline(true);
    try {
      const control = await pickVisible(page.locator(controls), number);
      await control?.click({ timeout: patience });
      return "use offline";
    } finally {
      await page.context().setOffline(false);
    }
  },
  async signUp(page, _number, { shop, name }) {
    if (!(await page.locator("[data-island=newsletter]").count())) await page.goto(shop);
    const block = page.locator("[data-island=newsletter]").first();
    const email = block.locator("[name=email]");
    if (!(await email.isEditable({ timeout: patience }))) return;
    await mark(page);
    await email.fill(`${name}@shop.example`, { timeout: patience });
    for (const field of await block.locator("[name=firstName]:visible, [name=lastName]:visible").all())
      await field.fill("Ada", { timeout: patience });
    const salutation = block.locator("[name=salutation]:visible");
    if (await salutation.count()) await salutation.selectOption({ index: 1 }, { timeout: patience });
    const consent = block.locator("[name=consents][value=NEWSLETTER]:visible");
    if (await consent.count()) await consent.check({ timeout: patience });
    await block.locator("[type=submit]").first().click({ timeout: patience });
    return "sign up";
  },
  async signIn(page, number, { shop }) {
    await page.goto(`${shop}/login`);
    const form = page.locator("form[action^='/login']");
    if (!(await form.count())) return "is signed in";
    await form.locator("[name=email]").fill("demo@example.com", { timeout: patience });
    await form.locator("[name=password]").fill(number % 4 ? demoPassword : "wrong", { timeout: patience });
    await form.locator("[type=submit]").click({ timeout: patience });
    return "sign in";
  },
  async preview(page, _number, { shop }) {
    await page.goto(`${shop}/preview`);
    const form = page.locator("form[action='/preview']:has([name=user])");
    if (await form.count()) {
      await form.locator("[name=user]").fill("staff@example.com", { timeout: patience });
      await form.locator("[name=password]").fill(demoPassword, { timeout: patience });
      await form.locator("[type=submit]").click({ timeout: patience });
    }
    await page.goto(shop);
    await page.getByRole("button", { name: "Preview settings", exact: true }).click({ timeout: patience });
    return "open the preview's settings";
  },
};

function pick<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

async function pickVisible(all: Locator, number: number): Promise<Locator | undefined> {
  const visible = all.filter({ visible: true });
  const count = await visible.count();
  return count > 0 ? visible.nth(number % count) : undefined;
}

async function nameOf(control: Locator): Promise<string> {
  const name = await control
    .evaluate((element) => `${element.tagName} ${element.id} ${element.textContent}`, undefined, { timeout: patience })
    .catch(() => "a control that is gone");
  return name.trim().toLowerCase().replaceAll(/\s+/g, " ").slice(0, 40);
}

/** Marks the document, so that another one is recognized by the missing mark. It remembers what last lost the focus. */
function mark(page: Page): Promise<void> {
  return page.evaluate(() => {
    Object.assign(window, { isMarked: true });
    const remember = ({ target }: Event) =>
      Object.assign(window, { loser: target instanceof Element ? target.outerHTML.slice(0, 200) : String(target) });
    for (const type of ["focusout", "blur"]) document.addEventListener(type, remember, true);
  });
}

/** Describes the element that last lost the focus of the marked document. */
function findLoser(page: Page): Promise<string> {
  return page.evaluate(() => ("loser" in window ? String(window.loser) : "nothing: nothing got it"));
}

/** Whether an element of the marked document has the focus, or gets it within a while. */
async function hasFocus(page: Page): Promise<boolean> {
  const wait = page.waitForFunction(
    () => !("isMarked" in window) || (document.activeElement ?? document.body) !== document.body,
    undefined,
    { timeout: 5 * second },
  );
  return wait.then(
    () => true,
    (error) => !(error instanceof errors.TimeoutError),
  );
}
