import type { Request, Response } from "express";
import { StaffLoginPage } from "../../client/preview/StaffLoginPage.tsx";
import type { Texts } from "../i18n.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import type { Site } from "../sites/countries.ts";

export interface PreviewPages {
  /** The page where staff sign in; the status is set before. */
  sendLogin(request: Request, response: Response, site: Site, answer?: StaffLoginAnswer): Promise<void>;
}

export interface StaffLoginAnswer {
  /** Why somebody isn't signed in, or can't open a link. */
  error?: "wrong" | "tooMany" | "unavailable" | "badLink";
  /** As whom they tried. */
  user?: string;
  /** The token of the link that is to be opened once they are signed in. */
  share?: string | undefined;
}

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
