import type { Parts } from "../../parts.ts";
import type { ReportEvent } from "../../security-events.ts";
import type { PreviewService } from "../../services/preview-service.ts";
import type { Site } from "../../sites/countries.ts";
import { footerTextLocale } from "../../sites/footer-text-locale.ts";
import { footerChanges } from "../../sites/footer-versions.ts";
import type { FindTests } from "../abtests/open-ab-tests.ts";
import type { EmbeddedService } from "../embedded-service.ts";
import type { Database } from "../store/open-store.ts";
import { createPreview } from "./create-preview.ts";
import { previewRoutes } from "./preview-routes.ts";

/** Opens the embedded preview service. */
export async function openPreview(
  db: Database,
  report: ReportEvent,
  findTests: FindTests,
  { logger, metrics, siteOf, texts }: Pick<Parts, "logger" | "metrics" | "siteOf" | "texts">,
): Promise<EmbeddedService & { service: PreviewService }> {
  const changesOf = (site: Site) =>
    footerChanges(site.footer, texts.translator(footerTextLocale(site), "footer", site.facts));
  const preview = await createPreview({ db, metrics, report, logger, findTests, footerChanges: changesOf });
  return {
    service: preview,
    routes: [previewRoutes({ preview, logger, siteOf })],
    jobs: [],
  };
}
