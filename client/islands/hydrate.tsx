import { type ComponentType, type ReactNode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";

/**
 * Hydrates an island.
 * @param shared - its shared props, if it has any; false if they couldn't be loaded
 * @returns a promise that resolves when the component is mounted
 * @throws the component's error, after restoring the server's markup
 * @throws Error if the shared props couldn't be loaded
 */
export async function hydrate<Props extends object>(
  island: HTMLElement,
  Component: ComponentType<Props>,
  shared: object | false | "" | undefined,
): Promise<void> {
  if (shared === false) throw new Error("the shared props haven't loaded");
  const { islandPrefix = "", islandProps = "{}" } = island.dataset;
  const props: Props = { ...(shared || {}), ...JSON.parse(islandProps) };
  // Kept as nodes, because host pages may forbid innerHTML: https://www.w3.org/TR/trusted-types/
  const markup = [...island.childNodes].map((node) => node.cloneNode(true));
  const fields = keepFields(island);
  return new Promise((resolve, reject) => {
    const root = hydrateRoot(
      island,
      <Mounted onRender={fields.noteFocus} onMount={resolve}>
        <Component {...props} />
      </Mounted>,
      {
        identifierPrefix: islandPrefix,
        onRecoverableError(error) {
          fields.carryOver();
          reportError(error);
        },
        onUncaughtError(error) {
          // React handles the error first. Unmounting empties the island.
          queueMicrotask(() => {
            root.unmount();
            island.replaceChildren(...markup);
            fields.carryOver();
          });
          reportError(error);
          reject(error);
        },
      },
    );
  });
}

interface MountedProps {
  onRender: () => void;
  onMount: () => void;
  children: ReactNode;
}

function Mounted({ onRender, onMount, children }: MountedProps) {
  // React may replace the markup right after rendering.
  onRender();
  useEffect(onMount, [onMount]);
  return children;
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Carries the visitor's input over to new fields. React re-renders an island if something changed its markup, such as
 * the browser's translation or a password manager.
 */
function keepFields(island: HTMLElement) {
  const before = [...island.querySelectorAll<Field>("input, select, textarea")];
  let focused: Field | undefined;
  return {
    /** Call it right before the fields may be removed: a removed field loses the focus without an event. */
    noteFocus() {
      focused = before.find((field) => field === document.activeElement);
    },
    carryOver() {
      for (const old of before) {
        const field = island.querySelector<Field>(selectorOf(old));
        if (!field) continue;
        field.value = old.value;
        if (field instanceof HTMLInputElement && old instanceof HTMLInputElement) field.checked = old.checked;
        if (old === focused) field.focus({ preventScroll: true });
      }
    },
  };
}

/** Checkboxes and radio buttons may share a name, so the selector includes the value. */
function selectorOf({ name, type, value }: Field): string {
  const byName = `[name="${CSS.escape(name)}"]`;
  return type === "checkbox" || type === "radio" ? `${byName}[value="${CSS.escape(value)}"]` : byName;
}
