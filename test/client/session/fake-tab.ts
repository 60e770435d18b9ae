import type { Channel, Tab } from "../../../client/session/tab.ts";

export interface FakeRequest {
  path: string;
  init: RequestInit;
}

/** What the tabs of a fake browser share. */
interface SharedByTabs {
  cookies: Record<string, string>;
  online: boolean;
  hasLocks: boolean;
  storage: Map<string, string>;
  hasStorage: boolean;
  requests: FakeRequest[];
  answer: (request: FakeRequest) => Response | Promise<Response>;
  /** Whether a tab holds the lock. */
  held: boolean;
  channels: Set<FakeChannel>;
}

/** A tab of a fake browser. */
export class FakeTab extends EventTarget implements Tab {
  hidden = false;
  /** How many listeners there are, by type. */
  listeners = new Map<string, number>();
  readonly document: Tab["document"];
  readonly navigator: Tab["navigator"];
  readonly BroadcastChannel: new (
    name: string,
  ) => Channel;

  private readonly browser: SharedByTabs;

  constructor(browser: SharedByTabs) {
    super();
    this.browser = browser;
    const tab = this;
    this.document = {
      get cookie() {
        return Object.entries(browser.cookies)
          .map((pair) => pair.join("="))
          .join("; ");
      },
      get visibilityState() {
        return tab.hidden ? ("hidden" as const) : ("visible" as const);
      },
    };
    const locks: Tab["navigator"]["locks"] = {
      async request(_name, _options, run) {
        await undefined;
        if (browser.held) return run(null);
        browser.held = true;
        return run({}).finally(() => {
          browser.held = false;
        });
      },
    };
    this.navigator = {
      get onLine() {
        return browser.online;
      },
      ...(browser.hasLocks && { locks }),
    };
    this.BroadcastChannel = class extends FakeChannel {
      constructor() {
        super(browser.channels);
      }
    };
  }

  get localStorage(): Tab["localStorage"] {
    const { storage, hasStorage } = this.browser;
    if (!hasStorage) throw new DOMException("forbidden", "SecurityError");
    return { getItem: (key) => storage.get(key) ?? null, setItem: (key, value) => storage.set(key, value) };
  }

  async fetch(path: string, init: RequestInit): Promise<Response> {
    const request = { path, init };
    this.browser.requests.push(request);
    const aborted = new Promise<never>((_resolve, reject) => {
      init.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    });
    return Promise.race([aborted, this.browser.answer(request)]);
  }

  override addEventListener(...[type, listener, options]: Parameters<EventTarget["addEventListener"]>): void {
    super.addEventListener(type, listener, options);
    const count = (change: number) => this.listeners.set(type, (this.listeners.get(type) ?? 0) + change);
    count(1);
    if (typeof options === "object") options.signal?.addEventListener("abort", () => count(-1));
  }

  do(...types: string[]): void {
    for (const type of types) this.dispatchEvent(new Event(type));
  }

  show(): void {
    this.hidden = false;
    this.do("visibilitychange");
  }

  hide(): void {
    this.hidden = true;
    this.do("visibilitychange");
  }

  /** The types of events that it still listens for. */
  get listened(): string[] {
    return [...this.listeners].filter(([, count]) => count > 0).map(([type]) => type);
  }
}

export class FakeChannel implements Channel {
  onmessage: Channel["onmessage"] = null;
  private readonly channels: Set<FakeChannel>;

  constructor(channels: Set<FakeChannel>) {
    this.channels = channels;
    channels.add(this);
  }

  postMessage(data: unknown): void {
    const others = [...this.channels].filter((channel) => channel !== this);
    queueMicrotask(() => {
      for (const other of others)
        if (this.channels.has(other)) other.onmessage?.(new MessageEvent("message", { data }));
    });
  }

  close(): void {
    this.channels.delete(this);
  }
}
