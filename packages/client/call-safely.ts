/** Calls a function of the page team. Its errors must not reach a shopper. */
export function callSafely<Result>(call: () => Result): Result | undefined {
  try {
    return call();
  } catch (error) {
    return logError(error);
  }
}

/** Logs an error that no caller can handle. */
export function logError(error: unknown): undefined {
  // biome-ignore lint/suspicious/noConsole: the page has no other place for it
  console.error(error);
}
