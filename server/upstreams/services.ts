/** The real services that may take the place of the embedded ones, with the paths that are then theirs. */
export const services = [
  { name: "abtest", path: "/service/abtestfrontend" },
  { name: "promotion", path: "/service/promotion" },
  { name: "newsletter", path: "/service/newsletter/api/internal/newsletter-subscribers" },
  { name: "newsletter", path: "/service/newsletter/api/private/newsletter-subscribers" },
  { name: "customer", path: "/service/newsletter/api/private/customers" },
] as const;

/** Origin of each service; undefined where the embedded one answers. */
export type UpstreamOrigins = Record<(typeof services)[number]["name"], string | undefined>;
