/** Says that a command isn't written as its help says. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
