interface BusyPageProps {
  locale: string;
  heading: string;
  text: string;
}

/** A page that costs next to nothing, for visitors who come when there are too many. It loads nothing. */
export function BusyPage({ locale, heading, text }: BusyPageProps) {
  return (
    <html lang={locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>{heading}</title>
      </head>
      <body>
        <main>
          <h1>{heading}</h1>
          <p>{text}</p>
        </main>
      </body>
    </html>
  );
}
