interface Look {
  ink: string;
  accentDark: string;
  surface: string;
  /** Families that visitors have. */
  stack: string;
}

/** Writes the look of the shop's other pages, for the page itself. */
export const busyStyle = ({ ink, accentDark, surface, stack }: Look) => `
body { max-width: 76rem; margin: 0 auto; padding: .75rem 1rem; background: ${surface}; color: ${ink}; font: 1rem/1.5 ${stack} }
h1 { margin: 4rem 0 1rem; font-size: 1.75rem; line-height: 1.2 }
p { margin: 0 }
.brand { color: ${accentDark}; font-size: 1.5rem; font-weight: 700; letter-spacing: -.02em }
`;

interface BusyPageProps {
  locale: string;
  brand: string;
  style: string;
  heading: string;
  text: string;
}

/** A page that costs next to nothing, for visitors who come when there are too many. It loads nothing. */
export function BusyPage({ locale, brand, style, heading, text }: BusyPageProps) {
  return (
    <html lang={locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${heading} – ${brand}`}</title>
        <style>{style}</style>
      </head>
      <body>
        <header>
          <p className="brand">{brand}</p>
        </header>
        <main>
          <h1>{heading}</h1>
          <p>{text}</p>
        </main>
      </body>
    </html>
  );
}
