/** Whether a URL leaves the site. */
export function isExternal(url: string): boolean {
  return url.startsWith("http") || url.startsWith("mailto");
}

/** The attributes of a link: an external one opens a new tab and sends no referrer. */
export function linkTarget(url: string) {
  return isExternal(url) ? { href: url, target: "_blank", rel: "noopener noreferrer" } : { href: url };
}
