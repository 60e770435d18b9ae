import type { ReactElement } from "react";
import library from "react-element-to-jsx-string";

type ToJsx = typeof library;

/** A CommonJS package: some loaders give its default export, others (Node) the module that holds it. */
const toJsx: ToJsx = typeof library === "function" ? library : (library as { default: ToJsx }).default;

/** The JSX that a developer would write to get an element. */
export function jsxSource(element: ReactElement): string {
  return toJsx(element, { showDefaultProps: false, sortProps: false, showFunctions: false });
}
