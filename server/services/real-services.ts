import type { EnvVariables } from "../../schemas/types.ts";

/** A real service that may take the place of an embedded one. */
interface RealService {
  name: string;
  /** The environment variable that holds its origin. */
  variable: keyof EnvVariables;
  /** The real service answers everything below these paths. */
  paths: readonly ServicePath[];
}

interface ServicePath {
  path: string;
  /** The lowest status that counts as a failure of the service; undefined passes every answer on. */
  failsFrom?: number;
  /** Whether its requests carry the credential of the customer who is signed in. */
  needsLoginToken?: boolean;
}

const newsletterApi = "/service/newsletter/api";

/** Every service that may be a real one. */
export const realServices = [
  { name: "abtest", variable: "UPSTREAM_ABTEST_URL", paths: [{ path: "/service/abtestfrontend" }] },
  { name: "promotion", variable: "UPSTREAM_PROMOTION_URL", paths: [{ path: "/service/promotion" }] },
  {
    name: "newsletter",
    variable: "UPSTREAM_NEWSLETTER_URL",
    paths: [
      { path: `${newsletterApi}/internal/newsletter-subscribers` },
      { path: `${newsletterApi}/private/newsletter-subscribers` },
    ],
  },
  {
    name: "customer",
    variable: "UPSTREAM_CUSTOMER_URL",
    paths: [
      { path: `${newsletterApi}/private/customers`, needsLoginToken: true },
      { path: "/service/customerfrontenddata", needsLoginToken: true },
    ],
  },
  {
    name: "login",
    variable: "UPSTREAM_LOGIN_URL",
    paths: [{ path: "/service/login/api/v1/login", failsFrom: 500 }, { path: "/service/login" }],
  },
  { name: "preview", variable: "UPSTREAM_PREVIEW_URL", paths: [{ path: "/service/preview" }] },
] as const satisfies readonly RealService[];

/** The origin of each real service; undefined where the embedded one answers. */
export type UpstreamOrigins = { [Name in (typeof realServices)[number]["name"]]?: string | undefined };
