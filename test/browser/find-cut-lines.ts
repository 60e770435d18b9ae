import type { Locator } from "playwright";

/** Finds the lines of text that the lower edge of an element cuts through. */
export function findCutLines(frame: Locator): Promise<string[]> {
  return frame.evaluate((element) => {
    const edge = element.getBoundingClientRect().bottom;
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const cut: string[] = [];
    while (texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const isCut = [...range.getClientRects()].some(({ top, bottom }) => top < edge - 1 && bottom > edge + 1);
      if (isCut) cut.push(range.toString());
    }
    return cut;
  });
}
