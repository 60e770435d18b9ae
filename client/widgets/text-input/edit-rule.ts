/** A text with the caret in it. */
export interface CaretText {
  before: string;
  after: string;
}

/** What an edit would put at the caret, between what stays of the text. */
export interface Edit extends CaretText {
  /** Empty for a deletion. */
  inserted: string;
  /** Whether it was typed with nothing selected; else it was pasted, filled in, deleted or replaces a selection. */
  typed: boolean;
}

/** What a field holds after an edit, or undefined where the edit must not happen. */
export type EditRule = (edit: Edit) => CaretText | undefined;
