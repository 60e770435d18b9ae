import type { DetailedHTMLProps, HTMLAttributes, ReactElement } from "react";
import type { FragmentParameters, Fragments, Visitor } from "./index.ts";

export interface StorefrontProps extends Visitor {
  fragments: Fragments;
  /** The code of the country site. */
  site: string;
  /** The parameters of the footer. */
  parameters?: FragmentParameters["footer"] | undefined;
}

/** An element of `./element` in JSX. Its attributes are strings, because React omits an attribute that is `false`. */
type ElementProps<Attributes> = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> & {
  site: string;
} & Attributes;
type Switch = "true" | "false";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "storefront-footer": ElementProps<
        Pick<FragmentParameters["footer"], "platform" | "variant"> & {
          reduced?: Switch | undefined;
          newsletter?: Switch | undefined;
          preview?: Switch | undefined;
        }
      >;
      "storefront-header": ElementProps<object>;
      "storefront-newsletter": ElementProps<
        Pick<FragmentParameters["newsletter"], "origin"> & { "origin-addition"?: string | undefined }
      >;
    }
  }
}

/**
 * The tags of the footer's styles and scripts, for `<head>` in the layout. They must be in the first HTML: a script
 * that React adds later doesn't run.
 */
export async function StorefrontHead({
  fragments,
  site,
  parameters,
  ...visitor
}: StorefrontProps): Promise<ReactElement> {
  const { head } = await fragments.get("footer", site, parameters, visitor);
  const tags = [...head.matchAll(/<(link|script)\b([^>]*)>/g)];
  return (
    <>
      {tags.map(([tag, name, attributes = ""]) =>
        name === "link" ? <link key={tag} {...propsOf(attributes)} /> : <script key={tag} {...propsOf(attributes)} />,
      )}
    </>
  );
}

/** The footer. Its HTML is sent twice: in the page, and in React's data for the page. */
export async function StorefrontFooter({
  fragments,
  site,
  parameters,
  ...visitor
}: StorefrontProps): Promise<ReactElement> {
  const { html } = await fragments.get("footer", site, parameters, visitor);
  // The fragment's script may have changed it before React looks at it.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it comes from the shop's own service
  return <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Reads the attributes of a tag that the service has rendered. */
function propsOf(attributes: string): Record<string, string> {
  const pairs = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)];
  return Object.fromEntries(
    pairs.map(([, name = "", value = ""]) => [
      name === "crossorigin" ? "crossOrigin" : name,
      value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
    ]),
  );
}
