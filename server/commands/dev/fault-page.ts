import type { ShownFault } from "./source-excerpt.ts";

export const faultStyle = `h1 { font-size: 1.25rem; margin: 0 0 1rem }
pre { font: 14px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.75rem 0 0; padding: 0.75rem 1rem; border-left: 4px solid #b3261e; background: #fdeceb; color: #1b1b1b }
pre + pre.source { margin: 0; border-color: #857a72; background: #f4f4f4; white-space: pre; overflow-x: auto }`;
export const faultHeading = "The service can't show what you have saved";
export const faultHint = "It comes back by itself as soon as you have saved a correction.";

/** Renders the page that replaces every page of the service while its sources have faults. */
export function renderFaults(faults: readonly ShownFault[]): string {
  const list = faults.map(({ fault, excerpt }) => {
    const source = excerpt === undefined ? "" : `<pre class="source">${escapeText(excerpt)}</pre>`;
    return `<pre>${escapeText(fault)}</pre>${source}`;
  });
  return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Faults</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 4rem auto; padding: 0 1rem; color: #1b1b1b }
${faultStyle}</style>
<h1>${faultHeading}</h1>
${list.join("\n")}
<p>${faultHint}</p>
`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
