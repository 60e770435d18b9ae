export default defineNitroPlugin((nitro) => {
  nitro.hooks.hook("render:html", async (page, { event }) => {
    const nonce = crypto.randomUUID();
    const addNonce = (tags) => tags.replace(/<(?:link|script|style)\b/g, `$& nonce="${nonce}"`);
    const footer = await fragments.get("footer", "DE", {}, { cookie: getRequestHeader(event, "cookie"), nonce });
    page.head = [...page.head.map(addNonce), footer.head];
    // Outside Vue's element, so that the footer stays during navigation, and is sent only once.
    page.bodyAppend = [footer.html, ...page.bodyAppend.map(addNonce)];
    // During development, Vite puts styles into the page.
    if (import.meta.dev) return;
    const policy = `default-src 'self'; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; object-src 'none'; base-uri 'self'; frame-ancestors 'none'`;
    setResponseHeader(event, "Content-Security-Policy", await fragments.contentSecurityPolicy(policy, "DE"));
  });
});
