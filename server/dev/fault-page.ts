const style = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 4rem auto; padding: 0 1rem; color: #1b1b1b }
h1 { font-size: 1.25rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.75rem 0; padding: 0.75rem 1rem; border-left: 4px solid #b3261e; background: #fdeceb }`;

/** Renders the page that stands for every page of the service while something is wrong with its sources. */
export function renderFaults(faults: readonly string[]): string {
  const list = faults.map((fault) => `<pre>${escapeText(fault)}</pre>`).join("\n");
  return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Faults</title>
<style>${style}</style>
<h1>The service can't show this page</h1>
${list}
<p>It comes back by itself as soon as you have saved a correction.</p>
`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
