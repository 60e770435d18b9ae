import { ScrollRegion } from "../page/ScrollRegion.tsx";
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
        <ScrollRegion label={text("mail.headers.region")}>
          <table className="sf-overview-table sf-overview-headers">
            <thead>
              <tr>
                <th scope="col">{text("mail.header")}</th>
                <th scope="col">{text("mail.value")}</th>
              </tr>
            </thead>
            <tbody>
              {message.headers.map(({ name, value }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </details>
    </section>
  );
}
