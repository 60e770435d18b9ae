/** Where the page says that code was copied, or wasn't; once per page. */
export function CopyStatus({ done, failed }: { done: string; failed: string }) {
  return <p className="sf-code-status" role="status" data-copy-status data-done={done} data-failed={failed} />;
}
