import type { ServiceName } from "../../config/real-services.ts";
import { UpstreamError } from "../../platform/errors.ts";
import type { Check } from "./check.ts";
import { checkContent, checkPromotion } from "./contents.ts";
import { checkCustomer } from "./customer-data.ts";
import { checkLogin, signIn } from "./customer-session.ts";
import { checkDocumentedRules } from "./documented-rules.ts";
import { createFindings, type Report } from "./findings.ts";
import { watchIdleConnection } from "./idle-connection.ts";
import { createProbe } from "./probe.ts";
import { checkPreview } from "./staff-session.ts";
import { checkNewsletter } from "./subscription.ts";

/** The checks of each service that its document can't describe. */
const stories: Record<ServiceName, (check: Check) => Promise<unknown>> = {
  newsletter: checkNewsletter,
  customer: checkCustomer,
  login: checkLogin,
  preview: checkPreview,
  promotion: checkPromotion,
  content: checkContent,
  abtest: ({ ask }) => ask("assignGroups", {}, "of a visitor"),
};

/** The services that can be checked at an address. */
export const serviceNames = Object.keys(stories);

interface CheckOptions extends Pick<Check, "shop" | "site" | "variables"> {
  /** The service that signs the test customer in for the customer service. */
  loginUrl: string;
}

/** Makes every call that this service may make of a real service, and reports the deviations of its answers. */
export async function checkService(name: ServiceName, url: string, options: CheckOptions): Promise<Report> {
  const { loginUrl, ...given } = options;
  const findings = createFindings();
  const { skip } = findings;
  const check: Check = {
    ...given,
    ...createProbe(name, { ...given, url }, findings),
    url,
    skip,
    signIn: () =>
      signIn(createProbe("login", { ...given, url: loginUrl }, createFindings()).ask).catch(() => undefined),
    has(names, what) {
      const missing = names.filter((name) => given.variables[name] === undefined);
      if (missing.length > 0) skip(what, `set ${missing.join(" and ")}`);
      return missing.length === 0;
    },
  };
  const idle = watchIdleConnection(url, findings);
  try {
    await checkDocumentedRules(check);
    await stories[name](check);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    skip("everything else", "the service doesn't answer");
  }
  await idle;
  return findings.report(name, url);
}
