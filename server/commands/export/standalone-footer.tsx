import { renderToStaticMarkup } from "react-dom/server";
import { type AssetFiles, AssetTags } from "../../../client/assets/AssetTags.tsx";
import type { Site } from "../../sites/countries.ts";
import { inlineIcons, type Sprite } from "./inline-icons.ts";

/** A footer with absolute links, without tags for its files. */
export interface FooterSource {
  html: string;
  styles: AssetFiles["styles"];
}

/**
 * Writes a footer for a page that reaches no service: all addresses are absolute, the icons are in it, and the forms
 * and the script, which would call the service, aren't.
 */
export function writeStandaloneFooter({ html, styles }: FooterSource, { origin }: Site, sprite: Sprite): string {
  const absolute = styles.map((style) => ({ ...style, href: new URL(style.href, origin).href }));
  const tags = renderToStaticMarkup(<AssetTags styles={absolute} scripts={[]} />);
  const bare = html
    // An empty element keeps the country switcher at the end of its row.
    .replace(/<form\b.*?<\/form>/gs, "<div></div>")
    .replace(/(<img\b[^<>]*? src=")(?=\/)/g, (start) => start + origin)
    .replace(/^<footer\b[^<>]*>/, (root) => root + tags);
  return `${inlineIcons(bare, sprite)}\n`;
}

/**
 * Writes HTML as the footer of a login theme of Keycloak, which since 26.0 shows the macro `content` of this template:
 * https://www.keycloak.org/docs/latest/server_development/#_theme_custom_footer
 */
export function writeKeycloakFooter(html: string): string {
  // The slot is in the login box, which is as narrow as a phone in any window.
  const narrow = html.replace('data-platform="CLASSIC"', 'data-platform="MATCH" data-layout="MATCH"');
  // FreeMarker would interpret `${`, `#{`, `<#`, `</#`, `<@` and `</@`. A browser reads the references as these characters.
  const plain = narrow.replace(/[$#](?=\{)|<(?=\/?[#@])/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<#macro content>\n${plain}</#macro>\n`;
}
