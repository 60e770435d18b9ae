import { type Milliseconds, minute, second } from "../../../../client/rules/time.ts";
import { Clock } from "./clock.ts";
import { startUpkeep } from "./start-upkeep.ts";
import { writePayload } from "./write-token.ts";

/** A session as the login service knows it. */
export interface Session {
  generation: number;
  /** When the credentials were replaced, or when the new ones first came back. */
  rotatedAt: Milliseconds;
  /** Whether the new ones have come back. */
  isConfirmed: boolean;
  expiresAt: Milliseconds;
  endsAt: Milliseconds;
  /** Why it ended, if it has. */
  end?: "logout" | "reuse";
}

export interface Credential {
  session: Session;
  generation: number;
}

const limits = { renew: 10 * minute, idle: 30 * minute, absolute: 2 * 60 * minute, grace: 10 * second };

/** The fate of a request: whether the service gets it, when it answers, and whether the answer arrives. */
export interface Fate {
  status?: 429 | 500;
  takes?: Milliseconds;
  isLost?: "on the way" | "on the way back";
}

/** The parts that the tabs of a browser share: cookies, locks and the network. */
export class Browser {
  readonly clock = new Clock();
  readonly storage = new Map<string, string>();
  readonly tabs: Tab[] = [];
  credential: Credential | undefined;
  /** When the session ends and is due for renewal, by its clock. */
  times: { exp: number; ren: number } | undefined;
  fate: Fate = {};
  isOnline = true;
  readonly inFlight = new Set<Promise<Response>>();
  lockHolder: Tab | undefined;
  readonly faults: string[] = [];

  get cookie(): string {
    return this.times ? `LoginToken=${writePayload(this.times)}` : "";
  }

  signIn(): void {
    const at = this.clock.now;
    const session = { generation: 0, rotatedAt: -Infinity, isConfirmed: true, expiresAt: at + limits.idle };
    this.credential = { session: { ...session, endsAt: at + limits.absolute }, generation: 0 };
    this.#setClock(this.credential.session);
  }

  signOut(): void {
    if (this.credential) this.credential.session.end ??= "logout";
    this.credential = this.times = undefined;
  }

  /** Whether the browser's session continues, by its own clock and by the service's. */
  get isSignedIn(): boolean {
    const { session } = this.credential ?? {};
    const end = Math.min(session?.expiresAt ?? 0, (this.times?.exp ?? 0) * second);
    return session?.end === undefined && end > this.clock.now;
  }

  /**
   * Answers a renewal as the embedded login service does, with cookies that are set only when the answer arrives.
   * @returns status and cookies
   */
  renew(sent: Credential | undefined): { status: number; setCookies: () => void } {
    const at = this.clock.now;
    const gone = () => {
      this.credential = this.times = undefined;
    };
    if (!sent || sent.session.end || sent.session.expiresAt <= at) return { status: 401, setCookies: gone };
    const { session } = sent;
    if (sent.generation === session.generation) {
      if (!session.isConfirmed) Object.assign(session, { isConfirmed: true, rotatedAt: at });
      else if (session.rotatedAt <= at - limits.grace)
        Object.assign(session, { generation: session.generation + 1, rotatedAt: at, isConfirmed: false });
    } else if (
      sent.generation !== session.generation - 1 ||
      (session.isConfirmed && session.rotatedAt <= at - limits.grace)
    ) {
      session.end = "reuse";
      return { status: 401, setCookies: gone };
    }
    session.expiresAt = Math.min(at + limits.idle, session.endsAt);
    const credential = { session, generation: session.generation };
    const { expiresAt } = session;
    return {
      status: expiresAt === session.endsAt ? 200 : 201,
      setCookies: () => {
        this.credential = credential;
        this.#setClock({ ...session, expiresAt }, at);
      },
    };
  }

  #setClock({ expiresAt, endsAt }: Session, at = this.clock.now): void {
    const ren = expiresAt === endsAt ? expiresAt : at + limits.renew;
    this.times = { exp: Math.floor(expiresAt / second), ren: Math.floor(ren / second) };
  }
}

/** A tab with a page of the shop. */
export class Tab {
  readonly #browser: Browser;
  readonly #events = new EventTarget();
  #isHidden = false;
  #isAsleep = false;
  isClosed = false;
  /** The timers that are due when the tab wakes. */
  #overdue: (() => void)[] = [];
  #abort = new AbortController();

  constructor(browser: Browser) {
    this.#browser = browser;
    browser.tabs.push(this);
    const { clock, storage } = browser;
    const tab = this;
    startUpkeep(
      {
        get cookie() {
          return browser.cookie;
        },
        get visibilityState() {
          return tab.#isHidden ? "hidden" : "visible";
        },
      },
      {
        get onLine() {
          return browser.isOnline;
        },
        locks: { request: this.#requestLock },
      },
      {
        getItem: (key: string) => storage.get(key) ?? null,
        setItem: (key: string, value: string) => storage.set(key, value),
      },
      this.#fetch,
      this.#events.addEventListener.bind(this.#events),
      (run: () => void, time: Milliseconds) => clock.setTimeout(() => this.#whenAwake(run), time),
      clock.clearTimeout,
      { now: () => clock.now },
      { now: () => clock.now, parse: Date.parse },
      { timeout: (time: Milliseconds) => this.#abortAfter(time) },
    );
  }

  get isUsable(): boolean {
    return !this.isClosed && !this.#isAsleep;
  }

  /** The visitor uses the page, which is then visible. */
  act(type: "click" | "online" = "click"): void {
    this.show();
    this.#events.dispatchEvent(new Event(type));
  }

  hide(): void {
    this.#isHidden = true;
    this.#events.dispatchEvent(new Event("visibilitychange"));
  }

  show(): void {
    if (!this.#isHidden) return;
    this.#isHidden = false;
    this.#events.dispatchEvent(new Event("visibilitychange"));
  }

  close(): void {
    this.isClosed = true;
    this.#abort.abort();
    if (this.#browser.lockHolder === this) this.#browser.lockHolder = undefined;
  }

  /** The visitor leaves the page. Browsers keep it for going back, unless it holds a lock. */
  leave(): void {
    if (this.#browser.lockHolder === this) this.close();
    else this.#isAsleep = true;
  }

  /** The visitor goes back to the page. */
  return(): void {
    this.#isAsleep = false;
    for (const run of this.#overdue.splice(0)) run();
    this.#events.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  }

  #whenAwake(run: () => void) {
    if (this.isClosed) return;
    if (this.#isAsleep) this.#overdue.push(run);
    else run();
  }

  #requestLock = async (_name: string, _options: object, run: (lock: object | null) => Promise<unknown>) => {
    if (this.#browser.lockHolder) return run(null);
    this.#browser.lockHolder = this;
    try {
      return await run({});
    } finally {
      if (this.#browser.lockHolder === this) this.#browser.lockHolder = undefined;
    }
  };

  #abortAfter(time: Milliseconds): AbortSignal {
    const abort = new AbortController();
    this.#browser.clock.setTimeout(() => abort.abort(), time);
    return AbortSignal.any([abort.signal, this.#abort.signal]);
  }

  /** Sends a renewal. Rejects without a network, and after an abort. */
  #fetch = (_path: string, { signal }: { signal: AbortSignal }): Promise<Response> => {
    const browser = this.#browser;
    const { fate, credential, clock } = browser;
    if (!browser.times) browser.faults.push("a renewal without a session");
    if (!browser.isOnline) return Promise.reject(new TypeError("offline"));
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    browser.inFlight.add(promise);
    if (browser.inFlight.size > 1) browser.faults.push("two renewals at once");
    const fail = () => {
      browser.inFlight.delete(promise);
      reject(new TypeError("there is no answer"));
    };
    signal.addEventListener("abort", fail);
    const answer = fate.status || fate.isLost === "on the way" ? undefined : browser.renew(credential);
    clock.setTimeout(() => {
      if (fate.isLost) fail();
      if (!browser.inFlight.delete(promise)) return;
      answer?.setCookies();
      resolve(new Response(null, { status: fate.status ?? answer?.status ?? 500 }));
    }, fate.takes ?? 0);
    return promise;
  };
}
