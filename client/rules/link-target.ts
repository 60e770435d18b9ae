/** Whether a URL leaves the site. */
export function isExternal(url: string): boolean {
  return url.startsWith("http") || url.startsWith("mailto");
}

/**
 * The attributes of a link: an external one opens a new tab and sends no referrer.
 * @param external - false for a link of the site itself, which has an absolute URL on pages of other hosts
 */
export function linkTarget(url: string, external = isExternal(url)) {
  return external ? { href: url, target: "_blank", rel: "noopener noreferrer" } : { href: url };
}
