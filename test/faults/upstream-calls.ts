import { inside } from "./faulty-upstream.ts";

interface Call {
  method: string;
  path: string;
  /** The fields of a form; the call is one of a script without them. */
  form?: Record<string, string>;
  /** The status of the right answer; 200 where it isn't said. */
  right?: number;
}

export interface Outcome {
  call: string;
  /** Undefined where no answer came before the signal. */
  status: number | undefined;
  isRight: boolean;
  /** What is wrong with an answer that isn't right, beside that; undefined for one that says that it isn't. */
  fault: string | undefined;
}

const subscribers = "/service/newsletter/api/internal/newsletter-subscribers";
const customers = "/service/newsletter/api/private/customers";
const token = "t".repeat(32);
const email = "ada@shop.example";

/**
 * Calls of every real service, by scripts and by forms. Of those that are forwarded together there are four at most: with
 * the fifth fault the service would count as down, and a next fault couldn't be tried.
 */
export const calls: readonly Call[] = [
  { method: "POST", path: subscribers, right: 202 },
  { method: "GET", path: `${subscribers}/${token}` },
  { method: "PUT", path: `${subscribers}/${token}/doi` },
  { method: "GET", path: `${customers}/base-data` },
  { method: "GET", path: `${customers}/newsletter-status` },
  { method: "GET", path: "/service/customerfrontenddata/api/v1/psdata" },
  { method: "POST", path: "/service/login/api/v1/login" },
  { method: "POST", path: "/service/login/api/v1/logintoken/renew" },
  { method: "POST", path: "/service/preview/api/auth/login" },
  { method: "GET", path: "/service/preview/api/auth/checkauth", right: 401 },
  { method: "POST", path: "/service/preview/api/token" },
  { method: "GET", path: "/service/promotion/api/promotion/SHOP_FOOTER" },
  { method: "GET", path: "/service/abtestfrontend/api/v1/gettestsat" },
  { method: "GET", path: "/service/abtestfrontend/api/v1/getassignment" },
  { method: "POST", path: "/newsletter?site=DE", form: { email, consents: "NEWSLETTER" }, right: 303 },
  { method: "POST", path: "/newsletter/confirm?site=DE", form: { token }, right: 303 },
  { method: "POST", path: "/login?site=DE", form: { email, password: "secret phrase" }, right: 303 },
];

/** Makes a call of the service at an origin. Never throws. */
export async function makeCall(origin: string, call: Call, signal: AbortSignal): Promise<Outcome> {
  const { method, path, form, right = 200 } = call;
  const name = `${method} ${path}`;
  try {
    const response = await fetch(origin + path, {
      method,
      headers: form ? { Origin: origin } : { Origin: origin, "X-hunter-csrf": "1", "Content-Type": "application/json" },
      ...(form && { body: new URLSearchParams(form) }),
      ...(!form && method !== "GET" && { body: "{}" }),
      redirect: "manual",
      signal,
    });
    const { status } = response;
    const text = await response.text();
    const isRight = status === right && !text.includes(inside);
    return { call: name, status, isRight, fault: isRight ? undefined : faultOf(call, status, text) };
  } catch {
    return { call: name, status: undefined, isRight: false, fault: undefined };
  }
}

/** A fault must be told as one: to people by a page, to programs by a 503, or by the upstream's own 500. */
function faultOf({ form }: Call, status: number, text: string): string | undefined {
  if (text.includes(inside)) return "shows what the upstream has sent";
  if (status === 503) return form || text.includes('"UNAVAILABLE"') ? undefined : "says 503 in another way";
  return status === 500 && !form ? undefined : `answers ${status}`;
}
