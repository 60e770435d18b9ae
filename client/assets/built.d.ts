/** The file that the build makes of a stylesheet, beside the scripts: its name, and its hash. */
declare module "*?built" {
  export const file: string;
  export const integrity: string;
}
