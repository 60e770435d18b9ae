import type { ReactNode } from "react";
import type gallery from "../../../locales/en/gallery.json";
import type { AssetFiles } from "../../assets/AssetTags.tsx";
import type { WidgetDoc } from "../../widgets/widget-doc.ts";
import { type TeamNavigation, TeamPage } from "../team/TeamPage.tsx";

/** What every page of the gallery needs. */
export interface GalleryFrameProps extends AssetFiles {
  /** Returns one of the gallery's own texts. */
  text: (key: keyof typeof gallery) => string;
  navigation: TeamNavigation;
  groups: { name: WidgetDoc["group"]; widgets: WidgetDoc[] }[];
  /** The widget that the page documents; undefined on the index. */
  widget?: string | undefined;
}

interface FrameProps extends GalleryFrameProps {
  heading: string;
  intro: string;
  children: ReactNode;
}

/** A page of the gallery, with links to every widget. */
export function GalleryFrame({ groups, widget, ...page }: FrameProps) {
  const { text, heading } = page;
  const contents = (
    <nav className="sf-team-contents" aria-label={text("contents")}>
      <a href="/widgets" aria-current={widget ? undefined : "page"}>
        {text("all")}
      </a>
      {groups.map((group) => (
        <section key={group.name}>
          <h2>{text(`group.${group.name}`)}</h2>
          <ul>
            {group.widgets.map((doc) => (
              <li key={doc.widget}>
                <a href={`/widgets/${doc.widget}`} aria-current={doc.widget === widget ? "page" : undefined}>
                  {doc.title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
  const title = widget ? `${heading} – ${text("title")}` : text("title");
  return <TeamPage {...page} title={title} className="sf-gallery" contents={contents} />;
}
