import type { Request, Response } from "express";
import { StaffLoginPage } from "../../client/preview/StaffLoginPage.tsx";
import type { Texts } from "../i18n.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import type { Site } from "../sites/countries.ts";

export interface PreviewPages {
  /** Sends the page where staff sign in, with the status that the response has. */
  sendLogin(request: Request, response: Response, site: Site, answer?: StaffLoginAnswer): Promise<void>;
}

/** What the page says to what was entered, or to the link that was opened. */
export interface StaffLoginAnswer {
  /** Why somebody isn't signed in, or can't open a link. */
  error?: "wrong" | "tooMany" | "unavailable" | "badLink";
  /** The user name that was entered. */
  user?: string;
  /** Token of the shared link to be opened after the sign-in. */
  share?: string | undefined;
}

/** Creates the pages of the preview. */
export function createPreviewPages({ pages, texts }: { pages: PageRenderer; texts: Texts }): PreviewPages {
  return {
    async sendLogin(request, response, site, { error, user = "", share } = {}) {
      const text = texts.translator(site.locale, "preview", site.facts);
      const widgetText = texts.translator(site.locale, "widgets");
      const props = await pages.shopProps(request, site, { styles: ["staff-login.css"], newsletter: false });
      const page = (
        <StaffLoginPage
          {...props}
          title={text("signIn.title")}
          description={text("signIn.introduction")}
          robots="noindex"
          introduction={text("signIn.introduction")}
          labels={{ user: text("signIn.user"), password: text("signIn.password"), button: text("signIn.button") }}
          user={user}
          share={share}
          {...(error && { error: { label: widgetText("notification.error"), text: text(`signIn.${error}`) } })}
        />
      );
      await pages.send(response, page);
    },
  };
}
