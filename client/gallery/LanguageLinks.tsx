import type { GalleryText, SpecimenLanguage } from "./gallery-props.ts";

/** Links to the same examples in other languages. */
export function LanguageLinks({ text, languages }: { text: GalleryText; languages: SpecimenLanguage[] }) {
  return (
    <nav aria-label={text("languages")}>
      <ul className="sf-gallery-languages">
        {languages.map(({ locale, url, name, isCurrent }) => (
          <li key={locale}>
            <a href={url} lang={locale} aria-current={isCurrent ? "true" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
