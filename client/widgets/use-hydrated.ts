import { useSyncExternalStore } from "react";

/** Tells whether script runs this component: false in the server's markup, and while React takes it over. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
