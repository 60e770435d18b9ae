import { type Milliseconds, second } from "../../rules/time.ts";
import { loginTokenText } from "./login-cookie.ts";

/** The time between two checks for a login token. */
const interval: Milliseconds = 10 * second;

/** Loads the code that keeps the session alive once the visitor has a login token. */
export function startSessionUpkeep(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function check() {
    clearTimeout(timer);
    if (document.hidden) return;
    if (loginTokenText(document.cookie)) {
      document.removeEventListener("visibilitychange", check);
      // The browser has logged what it couldn't load. The next page tries again.
      import("./keep-session.ts").then(({ keepSession }) => keepSession()).catch(() => {});
    } else timer = setTimeout(check, interval);
  }

  document.addEventListener("visibilitychange", check);
  check();
}
