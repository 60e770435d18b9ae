import { type ComponentType, type ReactNode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { keepFields } from "./keep-fields.ts";

/**
 * Lets React take over the markup of an island.
 * @param shared - the properties that it shares with others
 * @returns a promise that is kept when the component listens to events
 * @throws what the component throws; the server's markup is back in its place then
 */
export function hydrate<Props extends object>(
  island: HTMLElement,
  Component: ComponentType<Props>,
  shared: object | undefined,
): Promise<void> {
  const { islandPrefix = "", islandProps = "{}" } = island.dataset;
  const markup = island.innerHTML;
  const fields = keepFields(island);
  return new Promise((resolve, reject) => {
    const root = hydrateRoot(
      island,
      <Mounted onRender={fields.noteFocus} onMount={resolve}>
        <Component {...({ ...shared, ...JSON.parse(islandProps) } as Props)} />
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
  onRender();
  useEffect(onMount, [onMount]);
  return children;
}
