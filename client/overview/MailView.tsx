import { HeaderTable } from "./HeaderTable.tsx";
import type { OutboxText, ShownMail } from "./outbox-props.ts";

/** Shows a mail in each of its forms: HTML, plain text, headers. */
export function MailView({ text, mail }: { text: OutboxText; mail: ShownMail }) {
  const { subject, locale, message } = mail;
  if (!message) return <p className="sf-overview-nothing">{text("mail.lost")}</p>;
  return (
    <section className="sf-overview-mail" aria-labelledby="mail">
      <h2 id="mail" lang={locale}>
        {subject}
      </h2>
      <p className="sf-overview-hint">{text("mail.hint")}</p>
      <div className="sf-overview-frame">
        <iframe title={text("mail.frame")} src={message.url} sandbox="allow-popups allow-popups-to-escape-sandbox" />
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
        <HeaderTable
          label={text("mail.headers.region")}
          columns={[text("mail.header"), text("mail.value")]}
          headers={message.headers.map(({ name, value }) => [name, value])}
        />
      </details>
    </section>
  );
}
