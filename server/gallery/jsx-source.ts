import type { ReactElement } from "react";
import library from "react-element-to-jsx-string";

type ToJsx = typeof library;

/** The function of the package. As it is CommonJS, bundlers import the function and Node the module that holds it. */
const toJsx: ToJsx = typeof library === "function" ? library : (library as { default: ToJsx }).default;

/** Writes the JSX that a developer would write to get an element. */
export function jsxSource(element: ReactElement): string {
  return toJsx(element, { showDefaultProps: false, sortProps: false, showFunctions: false });
}
