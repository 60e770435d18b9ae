/** The live region in which the page says whether code was copied. A page has one of them. */
export function CopyStatus({ done, failed }: { done: string; failed: string }) {
  return <p className="sf-code-status" role="status" data-copy-status data-done={done} data-failed={failed} />;
}
