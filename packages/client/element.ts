import { createFragments } from "./index.ts";

/** For each fragment, the attributes of its element that are parameters, by the parameters' names. */
const parameterOf: Record<"footer" | "header" | "newsletter", Record<string, string>> = {
  footer: {
    reduced: "reduced",
    platform: "platform",
    newsletter: "newsletter",
    preview: "preview",
    variant: "variant",
  },
  header: {},
  newsletter: { origin: "origin", "origin-addition": "originAddition" },
};

/** The rules of the Trusted Types policy `storefront-fragments`: trusts the service's HTML and script URLs. */
const asIs = { createHTML: (html: string) => html, createScriptURL: (url: string) => url };

interface TrustedTypes {
  createPolicy(name: string, rules: typeof asIs): typeof asIs;
}

/**
 * Defines `<storefront-footer site="DE">`, `<storefront-header>` and `<storefront-newsletter>`, for pages that no server
 * composes. They get their fragments from the page's own origin. An element shows its own content until the fragment has loaded,
 * and keeps it if the fragment isn't available.
 */
export function defineStorefrontElements(): void {
  // `customElements` doesn't exist on a server that renders the page.
  if (typeof customElements === "undefined" || customElements.get("storefront-footer")) return;
  const fragments = createFragments({ service: location.origin });
  const trustedTypes: TrustedTypes | undefined = Reflect.get(globalThis, "trustedTypes");
  const trusted = trustedTypes?.createPolicy("storefront-fragments", asIs) ?? asIs;
  for (const name of ["footer", "header", "newsletter"] as const)
    customElements.define(`storefront-${name}`, createElementClass(name));

  function createElementClass(name: keyof typeof parameterOf) {
    const parameterNames = parameterOf[name];
    return class extends HTMLElement {
      static observedAttributes = ["site", ...Object.keys(parameterNames)];
      /** The address of the fragment that is shown or being fetched. */
      #wanted = "";

      connectedCallback() {
        this.style.display ||= "contents";
        this.#show();
      }

      attributeChangedCallback() {
        if (this.isConnected) this.#show();
      }

      async #show() {
        const site = this.getAttribute("site");
        const parameters = Object.fromEntries(
          Object.entries(parameterNames).flatMap(([attribute, parameter]) =>
            this.hasAttribute(attribute) ? [[parameter, this.getAttribute(attribute) || "true"]] : [],
          ),
        );
        const wanted = JSON.stringify([site, parameters]);
        // Frameworks may connect an element twice, or move it.
        if (!site || wanted === this.#wanted) return;
        this.#wanted = wanted;
        const { html, head } = await fragments.get(name, site, parameters);
        if (html) await addTags(head, trusted);
        if (wanted !== this.#wanted) return;
        if (html) this.innerHTML = trusted.createHTML(html);
        else this.#wanted = "";
      }
    };
  }
}

/** Adds the tags of styles and scripts that the page lacks, and waits until the styles have loaded. */
async function addTags(head: string, trusted: typeof asIs): Promise<void> {
  const template = document.createElement("template");
  template.innerHTML = trusted.createHTML(head);
  const isMissing = (selector: string) => !document.querySelector(selector);
  for (const { attributes } of template.content.querySelectorAll("script")) {
    // A copied script runs, unlike one that was parsed into a template.
    const script = document.createElement("script");
    for (const { name, value } of attributes)
      script.setAttribute(name, name === "src" ? trusted.createScriptURL(value) : value);
    if (isMissing(`script[src="${script.getAttribute("src")}"]`)) document.head.append(script);
  }
  const links = [...template.content.querySelectorAll("link")];
  const added = links.filter((link) => isMissing(`link[href="${link.getAttribute("href")}"]`));
  const settled = added.map(
    (link) => new Promise((resolve) => Object.assign(link, { onload: resolve, onerror: resolve })),
  );
  document.head.append(...added);
  await Promise.all(settled);
}
