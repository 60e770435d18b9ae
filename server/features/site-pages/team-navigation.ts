import type { Request } from "express";
import type { TeamNavigation } from "../../../client/pages/team/TeamPage.tsx";
import type { AppContext } from "../feature.ts";

/** Builds the navigation for the page that a request asks for. */
export type NavigateTeam = (request: Request) => TeamNavigation;

/**
 * Creates the navigation between the pages for the shop's teams.
 * @param hasMails - whether the service shows the newsletter's emails
 * @param staffLogin - the paths of the page where staff sign in; empty if the service has none
 */
export function createTeamNavigation(
  { countries, siteOf, texts }: AppContext,
  hasMails: boolean,
  staffLogin: readonly string[],
): NavigateTeam {
  const text = texts.translator("en", "team");
  return (request) => {
    const { hostname, path } = request;
    const links = [
      // On the host of a site, this path belongs to the shop.
      ...(countries.forHost(hostname)
        ? []
        : ([
            ["/", "overview"],
            ["/#shops", "shops"],
            ["/#services", "services"],
          ] as const)),
      ...(hasMails ? [["/outbox", "mails"] as const] : []),
      ["/widgets", "widgets"] as const,
      // Staff see the preview on the host where they sign in.
      ...staffLogin.map((login) => [`${siteOf.host(request).origin}${login}`, "preview"] as const),
    ];
    return {
      skip: text("skip"),
      label: text("label"),
      links: links.map(([href, name]) => ({
        href,
        text: text(name),
        current: href === path ? "page" : path.startsWith(`${href}/`) ? "true" : undefined,
      })),
    };
  };
}
