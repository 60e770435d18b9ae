/** For each directive, the one that overrides it for elements. */
const forElements: Record<string, string> = { "script-src": "script-src-elem", "style-src": "style-src-elem" };

/**
 * Adds sources to a policy without loosening it otherwise: https://www.w3.org/TR/CSP3/
 * @param policy - the value of the header, in which commas separate several policies
 * @param needed - sources by directive
 */
export function completePolicy(policy: string, needed: Record<string, string[]>): string {
  return policy
    .split(",")
    .map((one) => Object.entries(needed).reduce((sum, [name, sources]) => addSources(sum, name, sources), one))
    .join(",");
}

function addSources(policy: string, name: string, sources: string[]): string {
  const directives = policy.split(";");
  const find = (wanted: string | undefined) =>
    directives.findIndex((directive) => directive.trim().split(/\s+/)[0]?.toLowerCase() === wanted);
  const indexes = [forElements[name], name].map(find);
  const index = indexes.find((at) => at >= 0);
  if (index !== undefined) {
    directives[index] = withSources(directives[index] ?? "", sources);
    return directives.join(";");
  }
  // Only fetch directives fall back to default-src. An added form-action would restrict what the policy allows.
  const fallback = name.endsWith("-src") ? directives[find("default-src")] : undefined;
  if (fallback === undefined || withSources(fallback, sources) === fallback) return policy;
  const own = withSources(fallback.trim().replace(/^\S+/, name), sources);
  return `${policy.replace(/;?\s*$/, "")}; ${own}`;
}

/** Adds the sources that a directive lacks. Removes `'none'`, which allows no other source beside it. */
function withSources(directive: string, sources: string[]): string {
  const present = directive.toLowerCase().split(/\s+/);
  const missing = sources.filter((source) => !present.includes(source.toLowerCase()));
  if (missing.length === 0) return directive;
  return [directive.replace(/\s+'none'(?=\s|$)/gi, "").trimEnd(), ...missing].join(" ");
}
