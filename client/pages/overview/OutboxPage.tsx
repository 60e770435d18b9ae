import type outbox from "../../../locales/en/outbox.json";
import type { AssetFiles } from "../../assets/AssetTags.tsx";
import { ScrollTable, type TeamNavigation, TeamPage } from "../team/TeamPage.tsx";

/** Returns a text of the outbox. */
type OutboxText = (key: keyof typeof outbox) => string;

interface OutboxProps extends AssetFiles {
  text: OutboxText;
  navigation: TeamNavigation;
  /** The page of a shop on which readers can sign up for the newsletter. */
  signUp: { url: string; locale: string };
  mails: OutboxMail[];
  /** The mail selected by the page's address. */
  shown: OutboxMail | undefined;
}

interface OutboxMail {
  id: string;
  site: string;
  /** The language of the mail. */
  locale: string;
  timeZone: string | undefined;
  recipient: string;
  state: "queued" | "sent" | "failed";
  /** In milliseconds. */
  at: number;
  /** Undefined if the content isn't stored any more. */
  message: { subject: string; text: string; headers: { name: string; value: string }[] } | undefined;
}

/** Lists the mails of the newsletter, and shows one of them as a mail program would. */
export function OutboxPage({ mails, shown, signUp, ...page }: OutboxProps) {
  const { text } = page;
  const subject = shown?.message?.subject;
  const title = subject ? `${subject} – ${text("title")}` : text("title");
  return (
    <TeamPage
      {...page}
      title={title}
      heading={text("heading")}
      intro={text("intro")}
      className="sf-overview"
      header={
        <p>
          <a href={signUp.url} hrefLang={signUp.locale}>
            {text("signUp")}
          </a>
        </p>
      }
    >
      {shown && <MailView text={text} mail={shown} />}
      <section aria-labelledby="list">
        <h2 id="list">{text("list")}</h2>
        <MailList text={text} mails={mails} shown={shown} />
      </section>
    </TeamPage>
  );
}

const columns = ["subject", "recipient", "site", "state", "time"] as const;

function MailList({ text, mails, shown }: Pick<OutboxProps, "text" | "mails" | "shown">) {
  if (mails.length === 0) return <p className="sf-overview-nothing">{text("empty")}</p>;
  return (
    <ScrollTable label={text("list.region")} className="sf-overview-mails" columns={columns.map(text)}>
      {mails.map(({ id, message, locale, recipient, site, state, at, timeZone }) => (
        <tr key={id}>
          <th scope="row">
            <a
              href={`/outbox/${id}`}
              lang={message?.subject ? locale : undefined}
              aria-current={id === shown?.id ? "page" : undefined}
            >
              {message?.subject || text("lost")}
            </a>
          </th>
          <td>{recipient}</td>
          <td>{site}</td>
          <td>{text(`state.${state}`)}</td>
          <td>
            <time dateTime={new Date(at).toISOString()}>
              {new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "medium", timeStyle: "short" }).format(at)}
            </time>
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}

/** Shows a mail in each of its forms: HTML, plain text, headers. */
function MailView({ text, mail: { id, locale, message } }: { text: OutboxText; mail: OutboxMail }) {
  if (!message) return <p className="sf-overview-nothing">{text("mail.lost")}</p>;
  return (
    <section className="sf-overview-mail" aria-labelledby="mail">
      <h2 id="mail" lang={locale}>
        {message.subject}
      </h2>
      <p className="sf-overview-hint">{text("mail.hint")}</p>
      <div className="sf-overview-frame">
        <iframe
          title={text("mail.frame")}
          src={`/outbox/${id}/html`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      </div>
      <details className="sf-overview-details">
        <summary>
          <h3>{text("mail.text")}</h3>
        </summary>
        <pre className="sf-code-lines" lang={locale}>
          {message.text}
        </pre>
      </details>
      <details className="sf-overview-details">
        <summary>
          <h3>{text("mail.headers")}</h3>
        </summary>
        <ScrollTable
          label={text("mail.headers.region")}
          className="sf-overview-headers"
          columns={[text("mail.header"), text("mail.value")]}
        >
          {message.headers.map(({ name, value }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </ScrollTable>
      </details>
    </section>
  );
}
