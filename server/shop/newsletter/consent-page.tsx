import { renderToStaticMarkup } from "react-dom/server";
import type { ConsentExport } from "./export-consent.ts";

/** Renders the proof of consent as a page to print, in English for operators: each declaration with the text shown. */
export function renderConsentPage(exports: readonly ConsentExport[]): string {
  return `<!doctype html>${renderToStaticMarkup(<ConsentPage exports={exports} />)}`;
}

function ConsentPage({ exports }: { exports: readonly ConsentExport[] }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>Newsletter consent</title>
      </head>
      <body>
        <h1>Newsletter consent</h1>
        {exports.map((subscription) => (
          <Subscription key={subscription.site} {...subscription} />
        ))}
      </body>
    </html>
  );
}

function Subscription({ records, vouchers, ...subscription }: ConsentExport) {
  return (
    <section>
      <h2>
        {subscription.email} on {subscription.site}
      </h2>
      <Facts facts={subscription} />
      {vouchers.map((voucher) => (
        <section key={voucher.code}>
          <h3>Voucher</h3>
          <Facts facts={voucher} />
        </section>
      ))}
      {records.map(({ text, event, at, declaration, ...facts }) => (
        <section key={`${at} ${event}`}>
          <h3>
            {event}, {at}
          </h3>
          <Facts facts={{ ...declaration, ...facts }} />
          {text && <blockquote style={{ whiteSpace: "pre-line" }}>{text}</blockquote>}
        </section>
      ))}
    </section>
  );
}

function Facts({ facts }: { facts: object }) {
  return (
    <dl>
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{Array.isArray(value) ? value.join(", ") || "none" : String(value ?? "none")}</dd>
        </div>
      ))}
    </dl>
  );
}
