import type { ReactNode } from "react";
import { AssetTags } from "../assets/AssetTags.tsx";

/** What a page says of its own address, and of the others it has. */
export interface PageLink {
  rel: "canonical" | "alternate";
  href: string;
  /** For which screens the other address is. */
  media?: string;
}

interface PageProps {
  locale: string;
  title: string;
  description?: string;
  /** Layout the visitor has chosen; without it the window decides. */
  platform?: string | undefined;
  robots?: "noindex";
  links?: PageLink[];
  styles: string[];
  scripts: string[];
  className?: string;
  children: ReactNode;
}

/** The HTML document around a page of the service. */
export function Page({
  locale,
  title,
  description,
  platform,
  robots,
  links = [],
  styles,
  scripts,
  className,
  children,
}: PageProps) {
  // The desktop view on a small screen needs a desktop's width, or its columns would be squeezed.
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
        <link rel="icon" href="data:," />
        <AssetTags styles={styles} scripts={scripts} />
      </head>
      <body className={["sf-root sf-page", className].filter(Boolean).join(" ")}>{children}</body>
    </html>
  );
}
