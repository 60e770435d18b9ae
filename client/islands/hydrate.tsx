import { type ComponentType, type ReactNode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { keepFields } from "./keep-fields.ts";

/**
 * Lets React take over the markup of an island.
 * @param shared - the answer with the properties that it shares with others, if there are any
 * @returns a promise that is kept when the component listens to events
 * @throws what the component throws; the server's markup is back in its place then
 * @throws Error when the answer has no properties
 */
export async function hydrate<Props extends object>(
  island: HTMLElement,
  Component: ComponentType<Props>,
  shared: Response | undefined,
): Promise<void> {
  if (shared && !shared.ok) throw new Error(`the service answered ${shared.status}`);
  const { islandPrefix = "", islandProps = "{}" } = island.dataset;
  const props: Props = { ...(await shared?.json()), ...JSON.parse(islandProps) };
  const markup = island.innerHTML;
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
          // React deals with the error first, and unmounting empties the island: test/browser/island-failures.test.ts
          queueMicrotask(() => {
            root.unmount();
            island.innerHTML = markup;
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
  // Only a render knows that the markup may be replaced right after it.
  onRender();
  useEffect(onMount, [onMount]);
  return children;
}
