import { ScrollRegion } from "../page/ScrollRegion.tsx";
import { MailView } from "./MailView.tsx";
import { OverviewFrame } from "./OverviewFrame.tsx";
import type { OutboxProps } from "./outbox-props.ts";

/** Lists the mails of the newsletter, and shows one of them as a mail program does. */
export function OutboxPage({ text, styles, scripts, mails, shown }: OutboxProps) {
  const title = shown?.subject ? `${shown.subject} – ${text("title")}` : text("title");
  return (
    <OverviewFrame text={text} title={title} styles={styles} scripts={scripts}>
      <div className="sf-overview-wide">
        <main id="content" className="sf-overview-main" tabIndex={-1}>
          {shown && <MailView text={text} mail={shown} />}
          <section aria-labelledby="list">
            <h2 id="list">{text("list")}</h2>
            <MailList text={text} mails={mails} shown={shown} />
          </section>
        </main>
      </div>
    </OverviewFrame>
  );
}

const columns = ["subject", "recipient", "site", "state", "time"] as const;

function MailList({ text, mails, shown }: Pick<OutboxProps, "text" | "mails" | "shown">) {
  if (mails.length === 0) return <p className="sf-overview-nothing">{text("empty")}</p>;
  return (
    <ScrollRegion label={text("list.region")}>
      <table className="sf-overview-table sf-overview-mails">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {text(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {mails.map(({ url, subject, locale, recipient, site, state, time }) => (
            <tr key={url}>
              <th scope="row">
                <a
                  href={url}
                  lang={subject ? locale : undefined}
                  aria-current={url === shown?.url ? "page" : undefined}
                >
                  {subject || text("lost")}
                </a>
              </th>
              <td>{recipient}</td>
              <td>{site}</td>
              <td>{state}</td>
              <td>
                <time dateTime={time.dateTime}>{time.text}</time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
