import type { Page } from "playwright";

interface Comparison {
  /** Links to the stylesheets that are switched off for the comparison. */
  stylesheets: string;
  /** Elements to compare. */
  elements: string;
  /** Ignores sizes and positions that follow from the layout. */
  ignoreLayout?: boolean;
}

/**
 * Finds the changes that stylesheets make to the computed styles of elements and their pseudo-elements. Of the
 * properties for drawings, only visible ones count.
 * @returns one line for each kind of element and property, with the value without the stylesheets and with them;
 * inherited values are left out, and layout too if there is any other change
 */
export function stylesChangedBy(page: Page, comparison: Comparison): Promise<string[]> {
  return page.evaluate(compareStyles, comparison);
}

/** Runs in the page, so it can't use anything outside itself. */
function compareStyles({ stylesheets, elements, ignoreLayout = false }: Comparison): string[] {
  const links = document.querySelectorAll<HTMLLinkElement>(stylesheets);
  const compared = [...document.querySelectorAll(elements)];
  if (links.length === 0 || compared.length === 0) throw new Error("nothing to compare");

  const layout = /^(width|height|perspective-origin|transform-origin|grid-template-(rows|columns))$/;
  // Logical properties are the physical ones again, insets matter where `position` does, and custom properties show in
  // the properties that use them.
  const properties = [...getComputedStyle(document.documentElement)].filter(
    (name) =>
      !/(^|-)(block|inline)(-|$)|^(top|right|bottom|left)$|^--/.test(name) && !(ignoreLayout && layout.test(name)),
  );
  const drawn =
    /^(display|visibility|opacity|color|fill|stroke|filter|position|float|vertical-align|flex-shrink|outline|overflow|mix-blend|clip-path|background-(color|image)|box-shadow|(min-|max-)?(width|height)$|margin|padding|border-.*-width|transform$|rotate|scale|translate|animation-name|transition-duration|zoom)/;
  const ofDrawing = properties.filter((name) => drawn.test(name));
  const ofUse = ofDrawing.filter((name) =>
    /^(display|visibility|opacity|color|fill|stroke|filter|transform$)/.test(name),
  );

  const propertiesOf = (element: Element) => {
    if (!(element instanceof SVGElement)) return properties;
    return element instanceof SVGSVGElement ? ofDrawing : ofUse;
  };
  const read = (element: Element) => {
    const style = getComputedStyle(element);
    return propertiesOf(element).map((name) => `${name}: ${style.getPropertyValue(name)}`);
  };
  const readGenerated = (element: Element) => {
    const content = (part: string) => `content: ${getComputedStyle(element, part).content.replace("normal", "none")}`;
    const panel = (details: Element) => {
      const { height, opacity, overflow, contentVisibility } = getComputedStyle(details, "::details-content");
      return `height: ${height}; opacity: ${opacity}; overflow: ${overflow}; content-visibility: ${contentVisibility}`;
    };
    return {
      "::before": content("::before"),
      "::after": content("::after"),
      "::details-content": element.localName === "details" ? panel(element) : "",
    };
  };
  const snapshot = () => compared.map((element) => ({ own: read(element), generated: readGenerated(element) }));

  const after = snapshot();
  for (const { sheet } of links) if (sheet) sheet.disabled = true;
  const before = snapshot();

  const changesOf = new Map<Element, Set<string>>();
  const found = new Map<string, boolean>();
  for (const [index, element] of compared.entries()) {
    const [plain, styled] = [before[index], after[index]];
    if (!plain || !styled) continue;
    const kind = [element.localName, ...element.classList].join(".");
    const inherited = element.parentElement && changesOf.get(element.parentElement);
    const changes = styled.own
      .map((declaration, place) => ({ declaration, without: plain.own[place] }))
      .filter(({ declaration, without }) => declaration !== without)
      .map(({ declaration, without = "" }) => ({
        name: declaration.replace(/:.*/s, ""),
        line: `${without} -> ${declaration}`,
      }));
    changesOf.set(element, new Set(changes.map(({ line }) => line)));
    for (const { name, line } of changes) {
      const followsColor = /.-color$/.test(name) && changes.some((other) => other.name === "color");
      if (!inherited?.has(line) && !followsColor) found.set(`${kind} { ${line} }`, layout.test(name));
    }
    for (const [part, declaration] of Object.entries(styled.generated)) {
      const without = Object.entries(plain.generated).find(([name]) => name === part)?.[1];
      if (declaration !== without)
        found.set(`${kind}${part} { ${without} -> ${declaration} }`, part !== "::before" && part !== "::after");
    }
  }
  const causes = [...found].filter(([, isLayout]) => !isLayout);
  return (causes.length > 0 ? causes : [...found]).map(([line]) => line);
}
