/** Shorter passwords are weak, whatever is in them. */
const countedFrom = 8;

/**
 * The number of character classes in a password: lowercase letters, digits and uppercase letters of any script (Unicode
 * categories Ll, Nd and Lu). Letters without case, marks and symbols count for the length alone. The length is in
 * Unicode characters: an emoji is one, not two as in `length`.
 * @returns 0 (weak) to 3 (very strong)
 */
export function passwordLevel(password: string): number {
  if ([...password].length < countedFrom) return 0;
  return [/\p{Ll}/u, /\p{Nd}/u, /\p{Lu}/u].filter((oneClass) => oneClass.test(password)).length;
}
