import { useEffect, useState } from "react";
import { CodeBlock } from "../code/CodeBlock.tsx";
import { IconSprite } from "../icons/IconSprite.tsx";
import { Button } from "../widgets/button/Button.tsx";
import { useHydrated } from "../widgets/use-hydrated.ts";
import type { WidgetTexts } from "../widgets/widget-texts.ts";
import { PlaygroundField } from "./PlaygroundField.tsx";
import { controlsOf, type PlaygroundValues, playgroundCode, propertiesOf, queryOf } from "./playground.ts";
import { widgetDocs } from "./widget-docs.ts";

export interface PlaygroundProps {
  widget: string;
  values: PlaygroundValues;
  /** The language of the examples, which the address keeps, too; without, it is the gallery's own. */
  language?: string | undefined;
  texts: WidgetTexts;
  sprite: string;
  words: Record<"show" | "result" | "copy" | "what", string>;
}

/**
 * A widget and its properties to set, as an island. The address has what is set: the form sends it there without
 * script, and with script each change does.
 */
export function Playground({ widget, values: given, language, texts, sprite, words }: PlaygroundProps) {
  const [values, setValues] = useState(given);
  const hydrated = useHydrated();
  const doc = widgetDocs.find((candidate) => candidate.widget === widget);
  const controls = doc ? controlsOf(doc) : [];
  const query = queryOf(controls, values, language);
  useEffect(() => {
    if (values !== given) history.replaceState(null, "", `?${query}`);
  }, [values, given, query]);
  if (!doc) return null;

  return (
    <IconSprite url={sprite}>
      <div className="sf-playground">
        <form className="sf-playground-form" autoComplete="off" onSubmit={(event) => event.preventDefault()}>
          {language && <input type="hidden" name="language" value={language} />}
          {controls.map((control) => (
            <PlaygroundField
              key={control.name}
              control={control}
              value={values[control.name] ?? control.start}
              onChange={(value) => setValues((before) => ({ ...before, [control.name]: value }))}
            />
          ))}
          {!hydrated && (
            <Button type="submit" variant="secondary">
              {words.show}
            </Button>
          )}
        </form>
        <section className="sf-playground-result" aria-label={words.result}>
          {/* Made anew at each change: some properties count only when the widget is made. */}
          <form key={query} className="sf-playground-stage" method="dialog">
            {doc.playground.render(propertiesOf(controls, values), texts)}
          </form>
          <CodeBlock
            id="playground-code"
            label="React"
            code={playgroundCode(doc.playground, controls, values)}
            copy={{ text: words.copy, what: words.what }}
          />
        </section>
      </div>
    </IconSprite>
  );
}
