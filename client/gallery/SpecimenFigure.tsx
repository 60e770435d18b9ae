import { CodeBlock } from "../code/CodeBlock.tsx";
import { Island } from "../islands/Island.tsx";
import type { GalleryText, Specimen } from "./gallery-props.ts";

interface SpecimenFigureProps {
  text: GalleryText;
  widget: string;
  specimen: Specimen;
}

/** One example: the widget itself, what it is set to, and the code that makes it. */
export function SpecimenFigure({ text, widget, specimen }: SpecimenFigureProps) {
  const { id, name, variant, size, state } = specimen;
  const settings = [
    ["variant", variant],
    ["size", size],
    ["state", state],
  ] as const;
  return (
    <figure
      className="sf-specimen"
      id={id}
      data-widget={widget}
      data-variant={variant ?? "default"}
      data-size={size ?? "default"}
      data-state={state ?? "default"}
      data-example={name}
    >
      <figcaption>
        <a className="sf-specimen-name" href={`#${id}`}>
          {name}
        </a>
        <dl className="sf-specimen-settings">
          {settings.map(
            ([setting, value]) =>
              value && (
                <div key={setting}>
                  <dt>{text(setting)}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
      </figcaption>
      {/* A form of its own, as browsers expect around fields; its method sends nothing anywhere. */}
      <form className="sf-specimen-stage" method="dialog" lang={specimen.locale}>
        <Island {...specimen.island} />
      </form>
      <details className="sf-specimen-code">
        <summary>{text("code")}</summary>
        <CodeBlock
          id={`${id}-code`}
          label="React"
          code={specimen.code}
          copy={{ text: text("copy"), what: `${widget}, ${name}` }}
        />
      </details>
    </figure>
  );
}
