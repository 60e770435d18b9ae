import type { Metrics } from "../../metrics.ts";
import type { ReportEvent } from "../../security-events.ts";
import type { FindKnownEmail, Identify } from "../../services/customer-service.ts";
import { credentialsOf } from "../../services/login-cookies.ts";
import type { LoginService } from "../../services/login-service.ts";
import type { EmbeddedService } from "../embedded-service.ts";
import type { Database } from "../store/open-store.ts";
import { createLogin } from "./create-login.ts";
import { loginRoutes } from "./login-routes.ts";

interface Login extends EmbeddedService {
  service: LoginService;
  identify: Identify;
  findKnownEmail: FindKnownEmail;
}

/** Opens the embedded login service. */
export async function openLogin(db: Database, report: ReportEvent, metrics: Metrics): Promise<Login> {
  const service = await createLogin({ db, metrics, report });
  return {
    service,
    identify: (request) => service.identify(credentialsOf(request)),
    findKnownEmail: (request) => service.findKnownEmail(credentialsOf(request)),
    routes: [loginRoutes(service)],
    jobs: [],
  };
}
