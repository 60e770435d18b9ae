/** The built file of a stylesheet, which the build writes beside the scripts: its name and its hash. */
declare module "*?built" {
  export const file: string;
  export const integrity: string;
}
