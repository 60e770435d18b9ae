import { HtmlValidate } from "html-validate";

const validator = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    // React writes void elements with a slash.
    "void-style": "off",
    "no-trailing-whitespace": "off",
    "long-title": "off",
    // Phone numbers are written as in the country.
    "tel-non-breaking": "off",
  },
});

/** What is wrong in an HTML document, one line for each fault. */
export function markupFaults(html: string): string[] {
  const { results } = validator.validateStringSync(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector}`),
  );
}

/** A valid document around a part of a page. */
export function documentAround(part: string): string {
  return `<!DOCTYPE html><html lang="en"><head><title>Host</title></head><body><h1>Host</h1>${part}</body></html>`;
}
