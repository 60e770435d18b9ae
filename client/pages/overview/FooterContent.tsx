import { ScrollTable } from "../team/TeamPage.tsx";
import type { OverviewContent, OverviewProps, OverviewTime } from "./overview-props.ts";

const columns = ["matrix.site", "contents.shown", "contents.since", "contents.refused"] as const;

/** Where the content of each site's footer is from, and which answers of the content service were refused. */
export function FooterContent({ text, rows }: Pick<OverviewProps, "text"> & { rows: OverviewContent[] }) {
  return (
    <>
      <p className="sf-overview-hint">{text("contents.hint")}</p>
      <ScrollTable
        label={text("contents.caption")}
        hasCaption
        className="sf-overview-content"
        columns={columns.map(text)}
      >
        {rows.map(({ site, locale, name, shown, since, refused }) => (
          <tr key={site}>
            <th scope="row">
              <span lang={locale}>{name}</span> <span className="sf-overview-quiet">{site}</span>
            </th>
            <td>{shown}</td>
            <td>{since ? <Time {...since} /> : text("contents.unanswered")}</td>
            <td>{refused ? <Refused {...refused} /> : text("contents.nothingRefused")}</td>
          </tr>
        ))}
      </ScrollTable>
    </>
  );
}

function Refused({ at, faults, more }: NonNullable<OverviewContent["refused"]>) {
  return (
    <>
      <Time {...at} />
      <ul>
        {faults.map((fault) => (
          <li key={fault}>
            <code>{fault}</code>
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

function Time({ dateTime, text }: OverviewTime) {
  return <time dateTime={dateTime}>{text}</time>;
}
