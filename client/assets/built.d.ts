/** The file that the build makes of a stylesheet or of the icon sprite, beside the scripts: its name, and its hash. */
declare module "*?built" {
  export const file: string;
  export const integrity: string;
}
