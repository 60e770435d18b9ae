import { type AddHeaders, loginTokenHeader } from "./forward-headers.ts";

type ServiceName = "abtest" | "promotion" | "newsletter" | "customer" | "login" | "preview";

interface Service {
  name: ServiceName;
  path: string;
  /** Status from which on an answer counts as none. */
  failsFrom?: number;
  /** What its requests carry beside what the browser has sent. */
  addHeaders?: AddHeaders;
}

/** The real services that may take the place of the embedded ones, with the paths that are then theirs. */
export const services: readonly Service[] = [
  { name: "abtest", path: "/service/abtestfrontend" },
  { name: "promotion", path: "/service/promotion" },
  { name: "newsletter", path: "/service/newsletter/api/internal/newsletter-subscribers" },
  { name: "newsletter", path: "/service/newsletter/api/private/newsletter-subscribers" },
  { name: "customer", path: "/service/newsletter/api/private/customers", addHeaders: loginTokenHeader },
  { name: "customer", path: "/service/customerfrontenddata", addHeaders: loginTokenHeader },
  { name: "login", path: "/service/login/api/v1/login", failsFrom: 500 },
  { name: "login", path: "/service/login" },
  { name: "preview", path: "/service/preview" },
];

/** Origin of each service; undefined where the embedded one answers. */
export type UpstreamOrigins = Record<ServiceName, string | undefined>;
