import { vi } from "vitest";
import { keepSession } from "../../../../client/features/session/keep-session.ts";
import { writeToken } from "./write-token.ts";

export const minute = 60_000;

/** Events that count as activity of the visitor. */
export const activity = ["touchstart", "keydown", "scroll", "click"];

/** The times of a token that must be renewed, relative to now, in seconds. */
export const due = { ren: -60, exp: 600 };

interface FakeRequest {
  path: string;
  init: RequestInit;
}

/** Stands in for the globals of a browser's tab, with fake timers, until `closeTab()`. */
export class FakeTab extends EventTarget {
  cookies: Record<string, string> = {};
  hidden = false;
  online = true;
  /** False on a page without HTTPS. */
  hasLocks = true;
  /** Whether another tab holds the lock. */
  isLocked = false;
  storage = new Map<string, string>();
  requests: FakeRequest[] = [];
  /** Messages to other tabs. */
  posted: unknown[] = [];
  /** Open channels to other tabs. */
  channels = new Set<{ onmessage?: (event: { data: unknown }) => void }>();
  /** Answers the requests; rejects without a network. */
  answer: (request: FakeRequest) => Response | Promise<Response> = ({ path }) => this.renew(path);
  private readonly listeners = new Map<string, number>();

  constructor() {
    super();
    const tab = this;
    vi.useFakeTimers({ now: new Date("2026-05-04T10:00:00Z") });
    vi.spyOn(Math, "random").mockReturnValue(1);
    vi.stubGlobal("document", {
      get cookie() {
        return Object.entries(tab.cookies)
          .map((pair) => pair.join("="))
          .join("; ");
      },
      get visibilityState() {
        return tab.hidden ? "hidden" : "visible";
      },
    });
    const request = async (_name: string, _options: object, run: (lock: unknown) => unknown) =>
      run(tab.isLocked ? null : {});
    vi.stubGlobal("navigator", {
      get onLine() {
        return tab.online;
      },
      get locks() {
        return tab.hasLocks ? { request } : undefined;
      },
    });
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => tab.storage.get(key) ?? null,
      setItem: (key: string, value: string) => tab.storage.set(key, value),
    });
    vi.stubGlobal(
      "BroadcastChannel",
      class {
        onmessage?: (event: { data: unknown }) => void;
        constructor() {
          tab.channels.add(this);
        }
        postMessage = (message: unknown) => void tab.posted.push(message);
        close = () => void tab.channels.delete(this);
      },
    );
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      tab.requests.push({ path, init });
      const aborted = new Promise<never>((_resolve, reject) => {
        init.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      });
      return Promise.race([aborted, tab.answer({ path, init })]);
    });
    vi.stubGlobal("addEventListener", this.addEventListener.bind(this));
  }

  /** Sets a cookie with a token that must be renewed in ten minutes and ends in thirty. */
  renew(path: string, status = 201): Response {
    if (path.includes("longtermtoken")) return new Response(null, { status: 204 });
    this.cookies.LoginToken = writeToken({ ren: 600, exp: 1800 });
    return new Response("{}", { status });
  }

  /** The number of requests for a new login token. */
  get renewals(): number {
    return this.requests.filter(({ path }) => path.endsWith("/logintoken/renew")).length;
  }

  async open(token?: Parameters<typeof writeToken>[0]): Promise<void> {
    if (token) this.cookies.LoginToken = writeToken(token);
    keepSession();
    await pass();
  }

  async do(...types: string[]): Promise<void> {
    for (const type of types) this.dispatchEvent(new Event(type));
    await pass();
  }

  async setHidden(hidden: boolean): Promise<void> {
    this.hidden = hidden;
    await this.do("visibilitychange");
  }

  /** Delivers a message from another tab. */
  async receive(data: unknown): Promise<void> {
    for (const channel of this.channels) channel.onmessage?.({ data });
    await pass();
  }

  override addEventListener(...[type, listener, options]: Parameters<EventTarget["addEventListener"]>): void {
    super.addEventListener(type, listener, options);
    const count = (change: number) => this.listeners.set(type, (this.listeners.get(type) ?? 0) + change);
    count(1);
    if (typeof options === "object") options.signal?.addEventListener("abort", () => count(-1));
  }

  /** Whether it listens for activity, or only for the page's end and return. */
  get isListening(): boolean {
    const types = [...this.listeners].filter(([, count]) => count > 0).map(([type]) => type);
    return types.length > 2;
  }
}

export function closeTab(): void {
  vi.useRealTimers();
  vi.unstubAllGlobals();
}

export async function pass(milliseconds = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}
