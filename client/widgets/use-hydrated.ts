import { useSyncExternalStore } from "react";

/** Whether the component is hydrated: false in the server's markup and during hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
