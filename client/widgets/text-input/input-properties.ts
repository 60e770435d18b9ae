import { fieldStates } from "../field/Field.tsx";
import type { WidgetProperty } from "../widget-doc.ts";

/** The properties that inputs of all kinds share. */
export const inputProperties: WidgetProperty[] = [
  { name: "label", type: "string", text: "What goes in. Always to be seen, and never in the input itself." },
  { name: "hint", type: "string", standard: "none", text: "Help that stays, above the input." },
  {
    name: "error",
    type: "string",
    standard: "none",
    text: "What is wrong and what to do about it. Makes the state error, and is said when it comes later.",
  },
  {
    name: "state",
    type: fieldStates,
    standard: "default",
    text: "A check mark or a warning sign at the end of the input.",
  },
  { name: "validLabel", type: "string", standard: "none", text: "Says the state valid to screen readers." },
  { name: "optionalLabel", type: "string", standard: "none", text: "Stands after the label of what may stay empty." },
  { name: "name", type: "string", standard: "none", text: "What a form sends it as." },
  {
    name: "defaultValue, value",
    type: "string",
    standard: "none",
    text: "Without value the input keeps its own text, also what was typed before script ran.",
  },
  {
    name: "placeholder",
    type: "string",
    standard: "none",
    text: "A space lets a stylesheet tell an empty input. Never words: use label and hint.",
  },
  { name: "required, disabled", type: "boolean", standard: "false", text: "As of the element input." },
  { name: "onChange, onBlur, onFocus, ref", type: "function", standard: "none", text: "As of the element input." },
];
