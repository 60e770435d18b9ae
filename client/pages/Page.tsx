import { createContext, type ReactNode, use } from "react";
import { type AssetFiles, AssetTags } from "../assets/AssetTags.tsx";

/** A link in the head of a page to its canonical address, or to another address of the same content. */
export interface PageLink {
  rel: "canonical" | "alternate";
  href: string;
  /** A media query for the screens that the other address is for. */
  media?: string;
}

interface PageProps extends AssetFiles {
  locale: string;
  title: string;
  description?: string;
  /** The layout that the visitor has selected; otherwise the window's width decides. */
  platform?: string | undefined;
  robots?: "noindex";
  links?: PageLink[];
  /** The address of the icon in the browser's tab. */
  favicon?: string;
  /** The whole address of the picture that other sites show beside a link to the page. */
  socialImage?: string;
  className?: string;
  children: ReactNode;
}

/** The part of the document that is rendered: everything before the content, which is sent first, or the content. */
export const PagePart = createContext<"head" | "content">("head");

/** The HTML document around a page of the service. */
export function Page({
  locale,
  title,
  description,
  platform,
  robots,
  links = [],
  // Browsers ask for /favicon.ico where a page names none.
  favicon = "data:,",
  socialImage,
  styles,
  scripts,
  className,
  children,
}: PageProps) {
  if (use(PagePart) === "content") return children;
  // The columns of the desktop view would be too narrow on a small screen.
  const viewport = platform === "CLASSIC" ? "width=1280" : "width=device-width, initial-scale=1";
  return (
    <html lang={locale} data-platform={platform}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content={viewport} />
        <title>{title}</title>
        {description && <meta name="description" content={description} />}
        {robots && <meta name="robots" content={robots} />}
        {links.map((link) => (
          <link key={link.href} {...link} />
        ))}
        <link rel="icon" href={favicon} />
        {socialImage && (
          <>
            <meta property="og:title" content={title} />
            <meta property="og:image" content={socialImage} />
          </>
        )}
        <AssetTags styles={styles} scripts={scripts} />
      </head>
      <body className={["sf-root sf-page", className].filter(Boolean).join(" ")} />
    </html>
  );
}
