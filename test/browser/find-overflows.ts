/**
 * Finds elements that reach beyond the window, after opening everything that opens in place. Ignores elements that
 * scroll by themselves. Runs in the page.
 */
export function findOverflows(): string[] {
  for (const panel of document.querySelectorAll("details")) panel.open = true;
  const root = document.documentElement;
  const sticksOut = (element: Element): boolean => {
    const { left, right, width, height } = element.getBoundingClientRect();
    const shown = element.checkVisibility() && width * height > 0 && getComputedStyle(element).clipPath === "none";
    return shown && (left < -1 || right > root.clientWidth + 1);
  };
  const innermost = [...document.querySelectorAll("body *:not(svg *, .sf-scroll *, .sf-code *, .sf-preview-change *)")]
    .filter((element) => sticksOut(element) && ![...element.children].some(sticksOut))
    .map((element) => {
      const { left, right } = element.getBoundingClientRect();
      const name = [element.localName, ...element.classList].join(".");
      return `${name} from ${Math.round(left)} to ${Math.round(right)} px, "${element.textContent}"`;
    });
  return root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} px wide`, ...innermost] : innermost;
}
