import type { ReactNode } from "react";
import { type AssetFiles, AssetTags } from "../../assets/AssetTags.tsx";
import { Icon } from "../../icons/Icon.tsx";

/** Everything that the header shows, as plain data. */
export interface HeaderProps {
  site: string;
  locale: string;
  /** The files that the fragment loads; empty if the page loads them. */
  assets: AssetFiles;
  /** The logo. Without one, the shop's name is shown. */
  logo?: { url: string; width: number; height: number };
  texts: { brand: string; home: string; navigation: string; account: string };
  navigation: { url: string; text: string }[];
  /** The links to what is the visitor's own; without `url`, a text alone. `icon` is a cell of the sprite. */
  account: { url?: string | undefined; text: string; icon: string | undefined }[];
  /** The text of the logout button; undefined if nobody is signed in. */
  logout?: string;
}

/** The header of the shop's pages: brand, account and navigation. */
export function Header({ site, locale, assets, logo, texts, navigation, account, logout }: HeaderProps) {
  return (
    <header
      className="sf-root sf-fragment sf-header"
      lang={locale}
      data-fragment="header"
      data-nosnippet=""
      data-site={site}
    >
      <AssetTags {...assets} />
      <div className="sf-header-inner">
        <a className="sf-brand" href="/" aria-label={`${texts.brand} – ${texts.home}`}>
          {logo ? <img src={logo.url} alt={texts.brand} width={logo.width} height={logo.height} /> : texts.brand}
        </a>
        <nav className="sf-header-account" aria-label={texts.account}>
          {account.map(({ url, text, icon }) => (
            <AccountEntry key={text} url={url}>
              <i className="sf-icon" data-icon={icon} />
              <span className="sf-header-link-text">{text}</span>
            </AccountEntry>
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
        {navigation.length > 0 && (
          <nav className="sf-header-nav" aria-label={texts.navigation}>
            {navigation.map(({ url, text }) => (
              <a key={url} href={url}>
                {text}
              </a>
            ))}
          </nav>
        )}
      </div>
    </header>
  );
}

function AccountEntry({ url, children }: { url: string | undefined; children: ReactNode }) {
  return url === undefined ? (
    <span className="sf-header-link">{children}</span>
  ) : (
    <a className="sf-header-link" href={url}>
      {children}
    </a>
  );
}
