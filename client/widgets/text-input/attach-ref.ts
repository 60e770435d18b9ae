import type { Ref } from "react";

/**
 * Sets a caller's ref, for components that need the element themselves, too.
 * @returns a function that clears the ref
 */
export function attachRef<T>(ref: Ref<T> | undefined, element: T): () => void {
  if (typeof ref === "function") {
    const release = ref(element);
    return () => (release ? release() : ref(null));
  }
  if (ref) ref.current = element;
  return () => {
    if (ref) ref.current = null;
  };
}
