/** The name of the file that the build makes of a stylesheet or of the icon sprite, beside the scripts. */
declare module "*?built" {
  export const file: string;
}
