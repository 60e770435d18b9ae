/** The name under which the build writes a stylesheet or the icon sprite, beside the scripts. */
declare module "*?built" {
  export const file: string;
}
