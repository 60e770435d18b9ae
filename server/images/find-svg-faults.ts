/** The elements that draw, and nothing else. */
const drawing = new Set([
  ...["svg", "g", "defs", "use", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"],
  ...["text", "tspan", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "pattern"],
]);

interface Element {
  name: string;
  attributes: [name: string, value: string][];
}

/** What XML may be made of here: a comment, its declaration, the end of an element, its start, or text. */
const piece =
  /<!--.*?-->|<\?xml [^?]*\?>|<\/([\w:.-]+)\s*>|<([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/gsy;
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** An `&` that begins none of the named characters of XML: one by its number could hide what is looked for. */
const otherCharacter = /&(?!(?:amp|lt|gt|quot|apos);)/;

/**
 * Finds what a drawing must not have: anything but shapes and text, or anything from outside of its file.
 * @returns each fault as a message, such as `must not have the element script`
 */
export function findSvgFaults(source: string): string[] {
  const elements = readElements(source);
  if (!Array.isArray(elements)) return [`is no SVG that is read here: see line ${elements.line}`];
  const [root] = elements;
  const attributes = elements.flatMap((element) => element.attributes);
  return [
    ...findRootFaults(root),
    ...elements.filter(({ name }) => !drawing.has(name)).map(({ name }) => `must not have the element ${name}`),
    ...attributes.filter(([name]) => /^on/i.test(name)).map(([name]) => `must not have the event handler ${name}`),
    ...findUndeclared(root, attributes).map((prefix) => `must say on its first element what ${prefix}: stands for`),
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

/** Finds the prefixes of attributes that the first element doesn't declare: browsers show nothing of such a file. */
function findUndeclared(root: Element | undefined, attributes: Element["attributes"]): string[] {
  const declared = [
    "xml",
    "xmlns",
    ...(root?.attributes ?? []).flatMap(([name]) => /^xmlns:(.+)/.exec(name)?.[1] ?? []),
  ];
  const used = attributes.flatMap(([name]) => /^([^:]+):/.exec(name)?.[1] ?? []);
  return [...new Set(used)].filter((prefix) => !declared.includes(prefix));
}

function leadsOutside([name, value]: [string, string]): boolean {
  if (/^(?:\w+:)?href$|^src$/i.test(name)) return !value.startsWith("#");
  return /url\((?!\s*['"]?#)|@import|\\/i.test(value);
}

/** Reads the elements of a file in the order in which they start; where it can't be read, tells the line. */
function readElements(source: string): Element[] | { line: number } {
  const elements: Element[] = [];
  const open: string[] = [];
  const text = source.replace(/^\uFEFF/, "");
  let at = 0;
  for (const [part, end, start, attributes = "", empty] of text.matchAll(piece)) {
    const isOutside = open.length === 0;
    if (end !== undefined && open.pop() !== end) break;
    if (start !== undefined) {
      if (isOutside && elements.length > 0) break;
      const own = [...attributes.matchAll(attribute)].map(([, name = "", ...values]): [string, string] => {
        return [name, values.find((value) => value !== undefined) ?? ""];
      });
      if (new Set(own.map(([name]) => name)).size < own.length) break;
      elements.push({ name: start, attributes: own });
      if (!empty) open.push(start);
    }
    if (!part.startsWith("<!--") && otherCharacter.test(part)) break;
    if (isOutside && !part.startsWith("<") && part.trim()) break;
    at += part.length;
  }
  if (at === text.length && open.length === 0) return elements;
  return { line: text.slice(0, at).split("\n").length };
}
