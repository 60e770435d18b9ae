import type { FindKnownEmail, Identify } from "../../services/customer-service.ts";
import type { SiteResolver } from "../../sites/resolve-site.ts";
import type { EmbeddedService } from "../embedded-service.ts";
import type { Database } from "../store/open-store.ts";
import { customerRoutes } from "./customer-routes.ts";
import { psdataRoutes } from "./psdata-routes.ts";

interface CustomerLogin {
  identify: Identify;
  findKnownEmail: FindKnownEmail;
}

/** Opens the embedded service of customers' data. */
export function openCustomer(
  db: Database,
  { identify, findKnownEmail }: CustomerLogin,
  siteOf: SiteResolver,
): EmbeddedService {
  return { routes: [customerRoutes({ db, identify, siteOf }), psdataRoutes(findKnownEmail)], jobs: [] };
}
