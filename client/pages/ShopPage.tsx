import { type ReactNode, use } from "react";
import type { AssetFiles } from "../assets/AssetTags.tsx";
import { NewsletterFragment, type NewsletterFragmentProps } from "../features/newsletter/NewsletterFragment.tsx";
import { Icon, type IconName } from "../icons/Icon.tsx";
import { Island, type IslandMarkup } from "../islands/Island.tsx";
import { Button } from "../widgets/button/Button.tsx";
import { UnbrokenWords } from "../widgets/UnbrokenWords.tsx";
import { Page, type PageLink } from "./Page.tsx";

export interface ShopPageProps extends AssetFiles {
  locale: string;
  /** The page's title; the shop's name is added to it. */
  title: string;
  description: string;
  platform?: string | undefined;
  robots?: "noindex";
  links?: PageLink[];
  /** The logo in the header. Without one, the shop's name is shown. */
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
  account: { url: string; text: string; icon: IconName }[];
  /** The text of the logout button; undefined if nobody is signed in. */
  logout?: string;
  /**
   * The markup of the footer fragment, or a function that renders it on its first call and returns the same promise
   * ever after.
   */
  footerHtml: string | (() => Promise<string>);
}

/** A page of the shop: header, content, footer. */
export function ShopPage({ children, ...props }: ShopPageProps & { children: ReactNode }) {
  const { texts, navigation, account, logo, logout } = props;
  return (
    <Page {...props} title={`${props.title} – ${texts.brand}`}>
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
      <PageFooter html={props.footerHtml} />
    </Page>
  );
}

function PageFooter({ html }: { html: ShopPageProps["footerHtml"] }) {
  const markup = typeof html === "string" ? html : use(html());
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the fragment's markup, rendered by React
  return <div id="footer" tabIndex={-1} dangerouslySetInnerHTML={{ __html: markup }} />;
}

export interface MessagePageProps extends Omit<ShopPageProps, "description"> {
  text: string;
  link?: { url: string; text: string };
  /** A form with one button, which posts the token to the action. */
  form?: { action: string; token: string; button: string };
}

/** A page with a message, such as that a page doesn't exist, and with a link or a button. */
export function MessagePage({ text, link, form, ...page }: MessagePageProps) {
  return (
    <ShopPage {...page} description={text}>
      <section className="sf-message">
        <h1>{page.title}</h1>
        <p>
          <UnbrokenWords text={text} />
        </p>
        {link && <Button href={link.url}>{link.text}</Button>}
        {form && (
          <form method="post" action={form.action}>
            <input type="hidden" name="token" value={form.token} />
            <Button type="submit" size="large">
              {form.button}
            </Button>
          </form>
        )}
      </section>
    </ShopPage>
  );
}

interface SubscribePageProps extends ShopPageProps {
  /** Renders the sign-up block. Called after the page's head was sent. */
  newsletter: () => NewsletterFragmentProps;
}

/** The page where visitors sign up for the newsletter. */
export function SubscribePage({ newsletter, ...page }: SubscribePageProps) {
  const Newsletter = () => <NewsletterFragment {...newsletter()} />;
  return (
    <ShopPage {...page}>
      <div className="sf-bleed">
        <Newsletter />
      </div>
    </ShopPage>
  );
}

interface LoginPageProps extends ShopPageProps {
  /** Renders the form. Called after the page's head was sent. */
  form: () => IslandMarkup;
}

/** The page where customers log in. */
export function LoginPage({ form, ...page }: LoginPageProps) {
  const Form = () => <Island {...form()} />;
  return (
    <ShopPage {...page}>
      <Form />
    </ShopPage>
  );
}
