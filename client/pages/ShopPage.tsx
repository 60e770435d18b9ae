import { type ReactNode, use } from "react";
import type { AssetFiles } from "../assets/AssetTags.tsx";
import { Header, type HeaderProps } from "../features/header/Header.tsx";
import { NewsletterFragment, type NewsletterFragmentProps } from "../features/newsletter/NewsletterFragment.tsx";
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
  favicon?: string;
  socialImage?: string;
  texts: { brand: string; skipToContent: string; skipToFooter: string };
  header: HeaderProps;
  /**
   * The markup of the footer fragment, or a function that renders it on its first call and returns the same promise
   * ever after.
   */
  footerHtml: string | (() => Promise<string>);
}

/** A page of the shop: header, content, footer. */
export function ShopPage({ children, ...props }: ShopPageProps & { children: ReactNode }) {
  const { texts } = props;
  return (
    <Page {...props} title={`${props.title} – ${texts.brand}`}>
      <a className="sf-skip" href="#content">
        {texts.skipToContent}
      </a>
      <a className="sf-skip" href="#footer">
        {texts.skipToFooter}
      </a>
      <Header {...props.header} />
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
  voucher?: { text: string; code: string } | undefined;
  /** A form with one button, which posts the token to the action. */
  form?: { action: string; token: string; button: string };
}

/** A page with a message, such as that a page doesn't exist, and with a link or a button. */
export function MessagePage({ text, voucher, link, form, ...page }: MessagePageProps) {
  return (
    <ShopPage {...page} description={text}>
      <section className="sf-message">
        <h1>{page.title}</h1>
        <p>
          <UnbrokenWords text={text} />
        </p>
        {voucher && (
          <p>
            {voucher.text}
            <strong className="sf-message-code" translate="no">
              {voucher.code}
            </strong>
          </p>
        )}
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
