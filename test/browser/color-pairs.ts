import type { Page } from "playwright";

/**
 * A colour and what is behind it. The colour is that of a text, or of a mark: an icon, a field's border, a focus ring.
 */
export interface ColorPair {
  kind: "text" | "mark";
  front: string;
  back: string;
  /** One of the elements with this pair. */
  where: string;
}

/** Finds the pairs of colours in the visible parts of a page: as they are, under the pointer, and with the focus. */
export function findColorPairs(page: Page): Promise<ColorPair[]> {
  return page.evaluate(collectPairs);
}

/** Runs in the page, so it can't use anything outside itself. */
function collectPairs(): ColorPair[] {
  const found = new Map<string, ColorPair>();
  const isClear = (color: string) => color === "transparent" || / 0\)$/.test(color);
  const name = (element: Element) => [element.localName, ...element.classList].join(".");

  /** Returns what is behind an element, or behind its content. */
  const backOf = (element: Element | null): string => {
    for (let each = element; each; each = each.parentElement) {
      const { backgroundColor } = getComputedStyle(each);
      if (!isClear(backgroundColor)) return backgroundColor;
    }
    return "the canvas";
  };
  /** Returns what is drawn below an element that covers its neighbours, such as an icon in a field. */
  const below = (element: Element): string => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const stack = document.elementsFromPoint(x + width / 2, y + height / 2);
    const under = stack
      .slice(stack.indexOf(element) + 1)
      .find((each) => !isClear(getComputedStyle(each).backgroundColor));
    return under ? getComputedStyle(under).backgroundColor : backOf(element);
  };
  const add = (kind: ColorPair["kind"], element: Element, front: string, back: string) => {
    const key = `${kind} ${front} ${back}`;
    if (!isClear(front) && !found.has(key)) found.set(key, { kind, front, back, where: name(element) });
  };

  const shows = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const hasText = (element: Element) =>
    element.matches("input, select, textarea") ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? ""));

  const collect = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    // Clipped elements are only for screen readers.
    if (width <= 1 && height <= 1 && getComputedStyle(element).clipPath !== "none") return;
    if (shows(element)) note(element);
    for (const child of element.querySelectorAll(":scope > *")) collect(child);
  };
  const note = (element: Element) => {
    if (element.matches(":disabled, :disabled *")) return;
    const style = getComputedStyle(element);
    const isChoice = element.matches("[type=checkbox], [type=radio]");
    if (element.matches("[data-icon]"))
      add(
        "mark",
        element,
        getComputedStyle(element, "::before").borderTopColor,
        element.matches(".sf-icon") ? below(element) : backOf(element),
      );
    if (isChoice) add("mark", element, style.accentColor, backOf(element));
    else if (!(element instanceof SVGElement) && hasText(element)) add("text", element, style.color, backOf(element));
    if (element.hasAttribute("placeholder"))
      add("text", element, getComputedStyle(element, "::placeholder").color, backOf(element));
    if (element.matches("input, select, textarea") && !isChoice) {
      add("mark", element, style.borderTopColor, backOf(element));
      add("mark", element, style.borderTopColor, backOf(element.parentElement));
    }
    if (style.outlineStyle !== "none") add("mark", element, style.outlineColor, backOf(element.parentElement));
  };

  // The browser draws its own ring around the focused element.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  // Scripts can't cause these states, so classes replace them.
  const [hovered, focused] = ["is-hovered", "is-focused"];
  const rulesOf = (rules: CSSRuleList): CSSStyleRule[] =>
    [...rules].flatMap((rule) => [
      ...(rule instanceof CSSStyleRule ? [rule] : []),
      ...(rule instanceof CSSGroupingRule || rule instanceof CSSStyleRule ? rulesOf(rule.cssRules) : []),
    ]);
  const rules = [...document.styleSheets].flatMap((sheet) => rulesOf(sheet.cssRules));
  for (const rule of rules) {
    const { selectorText } = rule;
    const exposed = selectorText
      .replaceAll(":hover", `.${hovered}`)
      .replace(/:focus(-visible)?(?![-\w])/g, `.${focused}`);
    if (exposed !== selectorText) rule.selectorText = exposed;
  }
  const hoverable = new Set(
    rules
      .filter(({ selectorText }) => selectorText.includes(`.${hovered}`))
      .flatMap(({ selectorText }) => [...document.querySelectorAll(selectorText.split(`.${hovered}`)[0] ?? "")]),
  );

  for (const details of document.querySelectorAll("details")) details.open = true;
  collect(document.body);
  // The pointer is also on the element's ancestors. Elements of the same depth can be hovered at once.
  const depthOf = (element: Element): number => {
    const around = element.parentElement;
    return around ? depthOf(around) + (hoverable.has(around) ? 1 : 0) : 0;
  };
  const layers = Map.groupBy(hoverable, depthOf);
  for (const [, layer] of [...layers].sort(([depth], [other]) => depth - other)) {
    for (const element of layer) element.classList.add(hovered);
    for (const element of layer) collect(element);
  }
  for (const element of hoverable) element.classList.remove(hovered);
  const focusable = [...document.querySelectorAll("a, button, summary, input, select, textarea, iframe, [tabindex]")];
  for (const element of focusable) element.classList.add(focused);
  collect(document.body);
  for (const element of focusable) element.classList.remove(focused);
  return [...found.values()];
}
