/** The languages in which no line ends after a word of one letter. */
const languages = /^(cs|pl|sk)\b/;

/** A preposition or conjunction of one letter, with the space after it. */
const shortWord = /(?<![\p{L}\p{N}])([aikosuvwz]) (?=\S)/giu;

/**
 * Joins words of one letter with what follows them, in Czech, Polish and Slovak: `zaplaťte s kartou` never ends a line
 * after the `s`. See https://prirucka.ujc.cas.cz/?id=880 for the Czech rule.
 */
export function holdShortWords(locale: string, text: string): string {
  return languages.test(locale) ? text.replace(shortWord, "$1\u00a0") : text;
}
