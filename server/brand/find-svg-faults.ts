import { SaxesParser } from "saxes";

/** The allowed elements: those that only draw. */
const drawing = new Set([
  ...["svg", "g", "defs", "use", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"],
  ...["text", "tspan", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "pattern"],
]);

interface Element {
  name: string;
  attributes: [name: string, value: string][];
}

/**
 * Finds content that a drawing must not have: anything but shapes and text, and references to other files.
 * @returns each fault as a message, such as `must not have the element script`
 */
export function findSvgFaults(source: string): string[] {
  const elements = readElements(source);
  if (!Array.isArray(elements)) return [`isn't well-formed SVG: see line ${elements.line}`];
  const attributes = elements.flatMap((element) => element.attributes);
  return [
    ...findRootFaults(elements[0]),
    ...elements.filter(({ name }) => !drawing.has(name)).map(({ name }) => `must not have the element ${name}`),
    ...attributes.filter(([name]) => /^on/i.test(name)).map(([name]) => `must not have the event handler ${name}`),
    ...attributes.filter(leadsOutside).map(([name]) => `must not refer to anything outside, as ${name} does`),
  ];
}

function findRootFaults(root: Element | undefined): string[] {
  const { name, attributes = [] } = root ?? {};
  const { xmlns, viewBox = "" } = Object.fromEntries(attributes);
  if (name !== "svg" || xmlns !== "http://www.w3.org/2000/svg")
    return ['must begin with <svg xmlns="http://www.w3.org/2000/svg">'];
  return /^\s*-?[\d.]+(?:[\s,]+-?[\d.]+){3}\s*$/.test(viewBox) ? [] : ["must have a viewBox of four numbers"];
}

function leadsOutside([name, value]: [string, string]): boolean {
  if (/^(?:\w+:)?href$|^src$/i.test(name)) return !value.startsWith("#");
  return /url\((?!\s*['"]?#)|(?:image|image-set|cross-fade|src)\(|@import|\\/i.test(value);
}

/**
 * Reads the elements in document order.
 * @returns the line of the first error if there is one
 */
function readElements(source: string): Element[] | { line: number } {
  const elements: Element[] = [];
  let firstError: number | undefined;
  const parser = new SaxesParser({ xmlns: true });
  const refuse = () => {
    firstError ??= parser.line;
  };
  parser.on("error", refuse);
  // A document type could define entities, and a processing instruction could load a stylesheet. CDATA would confuse
  // the sprite, which is cut by its tags.
  for (const event of ["doctype", "processinginstruction", "cdata"] as const) parser.on(event, refuse);
  parser.on("opentag", ({ name, attributes }) => {
    elements.push({
      name,
      attributes: Object.values(attributes).map((attribute) => [attribute.name, attribute.value]),
    });
  });
  parser.write(source.replace(/^\uFEFF/, "")).close();
  return firstError === undefined ? elements : { line: firstError };
}
