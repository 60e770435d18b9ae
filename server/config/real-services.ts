/**
 * The services that can be real ones: each with its name, the variable of its URL, and whether `<variable>_<SITE>` may
 * hold another URL for one site.
 */
export const realServices = [
  { name: "abtest", variable: "UPSTREAM_ABTEST_URL", bySite: false },
  { name: "promotion", variable: "UPSTREAM_PROMOTION_URL", bySite: true },
  { name: "newsletter", variable: "UPSTREAM_NEWSLETTER_URL", bySite: true },
  { name: "customer", variable: "UPSTREAM_CUSTOMER_URL", bySite: true },
  { name: "login", variable: "UPSTREAM_LOGIN_URL", bySite: true },
  { name: "preview", variable: "UPSTREAM_PREVIEW_URL", bySite: false },
] as const;

/** Every service that this one may call, including the content service, which visitors don't call. */
export const calledServices = [
  ...realServices,
  { name: "content", variable: "UPSTREAM_CONTENT_URL", bySite: false },
] as const;

export type ServiceName = (typeof calledServices)[number]["name"];
