import { keepSession } from "../../../client/session/keep-session.ts";
import { type FakeChannel, type FakeRequest, FakeTab } from "./fake-tab.ts";
import { writeToken } from "./write-token.ts";

/** A browser whose clock is the test's: what the tabs of a site share, and the login service behind it. */
export class FakeBrowser {
  cookies: Record<string, string> = {};
  online = true;
  /** Off: as on a page without https. */
  hasLocks = true;
  storage = new Map<string, string>();
  /** Off: as with storage forbidden or full. */
  hasStorage = true;
  requests: FakeRequest[] = [];
  /** What the service answers; rejects where there is no network. */
  answer: (request: FakeRequest) => Response | Promise<Response> = ({ path }) => this.renew(path);
  /** Whether a tab holds the lock. */
  held = false;
  /** Open ones; what is posted to one reaches the others. */
  channels = new Set<FakeChannel>();

  /** Sets a cookie with a token that is renewed in ten minutes and ends in thirty. */
  renew(path: string, status = 201): Response {
    if (path.includes("longtermtoken")) return new Response(null, { status: 204 });
    this.cookies.LoginToken = writeToken({ ren: 600, exp: 1800 });
    return new Response("{}", { status });
  }

  /** Requests for a new login token so far. */
  get renewals(): number {
    return this.requests.filter(({ path }) => path.endsWith("/logintoken/renew")).length;
  }

  open(options: { hidden?: boolean } = {}): FakeTab {
    const tab = new FakeTab(this);
    tab.hidden = options.hidden ?? false;
    keepSession(tab);
    return tab;
  }
}
