import type { Fetcher } from "../services/call-service.ts";

/** The locks that the tabs of a site share: `run` gets null instead of a lock that another tab holds. */
interface Locks {
  request<Result>(
    name: string,
    options: { ifAvailable: true },
    run: (lock: unknown) => Promise<Result>,
  ): Promise<Result>;
}

export interface Channel {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

/** What the upkeep of a session needs of a tab's `window`. */
export interface Tab extends EventTarget, Fetcher {
  readonly document: { readonly cookie: string; readonly visibilityState: DocumentVisibilityState };
  readonly navigator: {
    readonly onLine: boolean;
    /** Pages without https have none (https://w3c.github.io/web-locks/#navigator-mixins). */
    readonly locks?: Locks;
  };
  readonly localStorage: Pick<Storage, "getItem" | "setItem">;
  readonly BroadcastChannel: new (name: string) => Channel;
}
