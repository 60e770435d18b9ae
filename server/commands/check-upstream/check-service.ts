import type { ServiceName } from "../../config/env.ts";
import { loginCookieNames } from "../../features/login/service.ts";
import { newsletterDeadline } from "../../features/newsletter/service.ts";
import { staffCookieNames } from "../../http/staff-cookies.ts";
import { checkAbTests } from "./ab-tests.ts";
import type { Check } from "./check.ts";
import { checkContent } from "./content.ts";
import { checkCustomer } from "./customer.ts";
import { watchedCall, watchIdleConnection } from "./keep-alive.ts";
import { checkLogin, signIn } from "./login.ts";
import { checkNewsletter } from "./newsletter.ts";
import { checkPreview } from "./preview.ts";
import { createProbe, type Deviation, type Jar, type ProbedService, UnreachableError, visitor } from "./probe.ts";
import { checkPromotion } from "./promotion.ts";
import { keep } from "./session-cookies.ts";

interface CheckedService extends Pick<ProbedService, "deadline" | "visitorHeaders"> {
  check(check: Check): Promise<void>;
}

const services: Record<ServiceName, CheckedService> = {
  newsletter: { check: checkNewsletter, deadline: newsletterDeadline, visitorHeaders: originalAddress },
  customer: { check: checkCustomer, visitorHeaders: loginToken },
  login: { check: checkLogin, visitorHeaders: cookies(loginCookieNames) },
  preview: { check: checkPreview, visitorHeaders: cookies(staffCookieNames) },
  promotion: { check: checkPromotion, visitorHeaders: cookies(staffCookieNames) },
  content: { check: checkContent, visitorHeaders: cookies(staffCookieNames) },
  abtest: { check: checkAbTests },
};

export const serviceNames = Object.keys(services);

export interface Report {
  service: ServiceName;
  url: string;
  /** How often each call was made. */
  calls: Record<string, number>;
  deviations: Deviation[];
  /** What wasn't checked, and why. */
  notChecked: string[];
}

export interface CheckOptions extends Pick<Check, "shop" | "variables"> {
  /** Code of the site that calls. */
  site: string;
  /** The service that signs the test customer in for the customer service. */
  loginUrl: string;
}

/** Asks a real service everything that this service may ask it, and reports what it answers otherwise than it must. */
export async function checkService(name: ServiceName, url: string, options: CheckOptions): Promise<Report> {
  const { shop, variables, loginUrl } = options;
  const { check, ...service } = services[name];
  const { probe, calls, deviations, operations } = createProbe({ ...options, ...service, name, url });
  const notChecked = new Set<string>();
  const leaveOut = (what: string, why: string) => void notChecked.add(`${what} (${why})`);
  const idle = watchIdleConnection(url);
  try {
    await check({
      ...{ probe, operations, shop, variables, leaveOut },
      async signIn() {
        const login = createProbe({ ...options, ...services.login, name: "login", url: loginUrl });
        const answer = await login.probe(signIn, "of the test customer", 200).catch(() => undefined);
        return answer && keep({}, answer);
      },
      has(names, what) {
        const missing = names.filter((name) => variables[name] === undefined);
        if (missing.length > 0) leaveOut(what, `set ${missing.join(" and ")}`);
        return missing.length === 0;
      },
    });
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    leaveOut("everything else", "the service doesn't answer");
  }
  const watched = await idle;
  if (watched) {
    calls.set(watchedCall, 1);
    deviations.push(...watched);
  }
  return { service: name, url, calls: Object.fromEntries(calls), deviations, notChecked: [...notChecked] };
}

/** Sends cookies of these names. */
function cookies(names: readonly string[]) {
  return (jar: Jar): Record<string, string> => {
    const pairs = names.flatMap((name) => (jar[name] === undefined ? [] : [`${name}=${jar[name]}`]));
    return pairs.length > 0 ? { cookie: pairs.join("; ") } : {};
  };
}

function originalAddress(): Record<string, string> {
  return { "x-original-address": visitor };
}

function loginToken({ login }: Jar): Record<string, string> {
  return login === undefined ? {} : { "x-login-token": login };
}
