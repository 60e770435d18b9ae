/**
 * The services that may be real ones: the name of each, the variable that holds its address, and whether `<variable>_<SITE>`
 * may hold another for one site.
 */
export const realServices = [
  { name: "abtest", variable: "UPSTREAM_ABTEST_URL", bySite: false },
  { name: "promotion", variable: "UPSTREAM_PROMOTION_URL", bySite: true },
  { name: "newsletter", variable: "UPSTREAM_NEWSLETTER_URL", bySite: true },
  { name: "customer", variable: "UPSTREAM_CUSTOMER_URL", bySite: true },
  { name: "login", variable: "UPSTREAM_LOGIN_URL", bySite: true },
  { name: "preview", variable: "UPSTREAM_PREVIEW_URL", bySite: false },
] as const;

/** Every service that this one may call: also that of the footers' content, which no visitor calls. */
export const calledServices = [
  ...realServices,
  { name: "content", variable: "UPSTREAM_CONTENT_URL", bySite: false },
] as const;

export type ServiceName = (typeof calledServices)[number]["name"];
