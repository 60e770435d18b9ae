import { Checkbox } from "../widgets/checkbox/Checkbox.tsx";
import { Select } from "../widgets/select/Select.tsx";
import { TextInput } from "../widgets/text-input/TextInput.tsx";
import { longestText, type PlaygroundControl } from "./playground.ts";

interface PlaygroundFieldProps {
  control: PlaygroundControl;
  value: string | boolean;
  onChange: (value: string | boolean) => void;
}

/** The field that sets one property. */
export function PlaygroundField({ control, value, onChange }: PlaygroundFieldProps) {
  const { name, kind, choices, standard = "" } = control;
  if (kind === "switch") {
    return <Checkbox label={name} name={name} checked={value === true} onChange={onChange} />;
  }
  if (kind === "choice") {
    const entries = choices.map((choice) => ({ name: choice, text: choice, value: choice }));
    return (
      <Select
        label={name}
        name={name}
        entries={entries}
        {...(!choices.includes(standard) && { placeholder: standard })}
        value={String(value) || (choices.includes(standard) ? standard : "")}
        onChange={onChange}
      />
    );
  }
  return (
    <TextInput
      label={name}
      name={name}
      value={String(value)}
      maxLength={longestText}
      inputMode={kind === "number" ? "numeric" : undefined}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
