import { useSyncExternalStore } from "react";

/** Whether script runs this component: false in the server's markup and while it is taken over. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
