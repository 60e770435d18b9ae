import type { ReactNode } from "react";
import { Icon } from "../icons/Icon.tsx";
import { IconSprite } from "../icons/IconSprite.tsx";
import { Page, type PageLink } from "./Page.tsx";

export interface ShopPageProps {
  locale: string;
  /** What the page is about; the window's title names the shop behind it. */
  title: string;
  description: string;
  platform?: string | undefined;
  robots?: "noindex";
  links?: PageLink[];
  styles: string[];
  scripts: string[];
  sprite: string;
  /** The logo in the header; without one, the shop's name stands there. */
  logo?: { url: string; width: number; height: number };
  texts: {
    brand: string;
    home: string;
    skipToContent: string;
    skipToFooter: string;
    navLabel: string;
    accountLabel: string;
  };
  navigation: { url: string; text: string }[];
  account: { url: string; text: string; icon: string }[];
  /** What the button says that signs out; missing while nobody is signed in. */
  logout?: string;
  /** Markup of the footer fragment. */
  footerHtml: string;
}

/** A page of the shop: header, content, footer. */
export function ShopPage({ children, ...props }: ShopPageProps & { children: ReactNode }) {
  const { texts, navigation, account, logo, logout, sprite } = props;
  return (
    <Page {...props} title={`${props.title} – ${texts.brand}`}>
      <IconSprite url={sprite}>
        <a className="sf-skip" href="#content">
          {texts.skipToContent}
        </a>
        <a className="sf-skip" href="#footer">
          {texts.skipToFooter}
        </a>
        <header className="sf-header">
          <a className="sf-brand" href="/" aria-label={`${texts.brand} – ${texts.home}`}>
            {logo ? <img src={logo.url} alt={texts.brand} width={logo.width} height={logo.height} /> : texts.brand}
          </a>
          <nav className="sf-header-account" aria-label={texts.accountLabel}>
            {account.map((link) => (
              <a key={link.url} className="sf-header-link" href={link.url}>
                <Icon name={link.icon} size={24} />
                <span className="sf-header-link-text">{link.text}</span>
              </a>
            ))}
            {logout && (
              <form action="/logout" method="post">
                <button className="sf-header-link" type="submit">
                  <Icon name="logout" size={24} />
                  <span className="sf-header-link-text">{logout}</span>
                </button>
              </form>
            )}
          </nav>
          <nav className="sf-header-nav" aria-label={texts.navLabel}>
            {navigation.map((link) => (
              <a key={link.url} href={link.url}>
                {link.text}
              </a>
            ))}
          </nav>
        </header>
        <main id="content" className="sf-main" tabIndex={-1}>
          {children}
        </main>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the fragment's markup, rendered by React */}
        <div id="footer" tabIndex={-1} dangerouslySetInnerHTML={{ __html: props.footerHtml }} />
      </IconSprite>
    </Page>
  );
}
