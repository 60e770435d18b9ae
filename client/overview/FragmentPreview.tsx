import { Fragment } from "react";
import { ScrollRegion } from "../page/ScrollRegion.tsx";
import type { OverviewAnswer, OverviewProps, OverviewTextKey } from "./overview-props.ts";

type PreviewProps = Pick<OverviewProps, "text" | "widths" | "answer"> & OverviewProps["preview"];

/** The fragment as a browser shows it. The stylesheet alone makes it as wide as the radio buttons say. */
export function FragmentPreview({ text, title, path, widths, answer }: PreviewProps) {
  const nothing = reasonForNothing(answer);
  return (
    <>
      <p className="sf-overview-address">
        <strong>{title}</strong>
        <code>{path}</code>
        <a href={path}>{text("preview.open")}</a>
      </p>
      {nothing ? (
        <p className="sf-overview-nothing">{text(nothing)}</p>
      ) : (
        <fieldset className="sf-overview-preview">
          <legend>{text("preview.width")}</legend>
          {widths.map(({ value, label, selected }) => (
            <Fragment key={value}>
              <input
                type="radio"
                id={`width-${value}`}
                className="sf-overview-width"
                name="width"
                value={value}
                form="selection"
                defaultChecked={selected}
              />
              <label htmlFor={`width-${value}`}>{label}</label>
            </Fragment>
          ))}
          <ScrollRegion label={text("preview.region")} className="sf-overview-stage">
            <div className="sf-overview-frame">
              <iframe title={title} src={path} loading="lazy" />
            </div>
          </ScrollRegion>
        </fieldset>
      )}
    </>
  );
}

/**
 * Tells why a frame isn't worth showing: browsers show an error page of their own for an empty answer, and nothing for
 * tags that load files.
 */
function reasonForNothing(answer: OverviewAnswer): OverviewTextKey | undefined {
  if ("failure" in answer) return undefined;
  if (answer.body === "") return "preview.empty";
  return /<(?!link|script|\/)/.test(answer.body) ? undefined : "preview.tags";
}
