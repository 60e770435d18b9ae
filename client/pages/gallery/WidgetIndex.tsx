import { IconSprite } from "../../icons/Icon.tsx";
import type { WidgetTexts } from "../../widgets/widget-texts.ts";
import { GalleryFrame, type GalleryFrameProps } from "./GalleryFrame.tsx";

interface WidgetIndexProps extends GalleryFrameProps {
  sprite: string;
  texts: WidgetTexts;
}

/** Lists every widget with a picture: the widget itself, made inert. */
export function WidgetIndex({ sprite, texts, ...frame }: WidgetIndexProps) {
  const { text, groups } = frame;
  return (
    <GalleryFrame {...frame} heading={text("heading")} intro={text("intro")}>
      <IconSprite url={sprite}>
        {groups.map(({ name, widgets }) => (
          <section key={name} aria-labelledby={`group-${name}`}>
            <h2 id={`group-${name}`}>{text(`group.${name}`)}</h2>
            <ul className="sf-gallery-cards">
              {widgets.map(({ widget, title, purpose, picture, examples: [first] }) => (
                <li key={widget} className="sf-gallery-card">
                  <div className="sf-gallery-picture" inert>
                    {picture ? picture(texts) : first?.render(texts)}
                  </div>
                  <h3>
                    <a href={`/widgets/${widget}`}>{title}</a>
                  </h3>
                  <p>{purpose}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </IconSprite>
    </GalleryFrame>
  );
}
