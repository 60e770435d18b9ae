import { join } from "node:path";
import type { ReactElement } from "react";
import { Footer } from "../../client/footer/Footer.tsx";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { loadAssets } from "../../server/assets.ts";
import { createFooterFragment } from "../../server/footer/footer-fragment.tsx";
import { buildFooterProps } from "../../server/footer/footer-props.ts";
import { askFragment, type Fragment, type FragmentContent } from "../../server/fragments/fragment.ts";
import { loadTexts } from "../../server/i18n.ts";
import { createLogger } from "../../server/logger.ts";
import { loadLogos } from "../../server/logos.ts";
import { createNewsletterIslands } from "../../server/newsletter/newsletter-islands.ts";
import { collectStream } from "../../server/render/collect-stream.ts";
import { renderStream } from "../../server/render/render-stream.ts";
import { assetsFolder, root } from "../../server/root.ts";
import { loadCountries, type Site } from "../../server/sites/countries.ts";
import type { RenderSubject } from "./measure-render.ts";
import { renderAnew } from "./render-anew.ts";

const rounds = 7;
/** How long a subject is called in each round. */
const batch: Milliseconds = 0.2 * second;

const logger = createLogger("silent");
const texts = await loadTexts(join(root, "locales"), logger);
const countries = await loadCountries({ folder: join(root, "countries"), texts });
const assets = await loadAssets(assetsFolder);
const logos = loadLogos(join(root, "client/footer/logos"), logger);
const newsletter = createNewsletterIslands({ texts, assets });
const parameters = {
  reduced: false,
  platform: "CLASSIC",
  newsletter: true,
  preview: false,
  assets: "inline",
} as const;
const files = { styles: ["footer.css"], scripts: ["boot.js"] };
const sources = {
  countries,
  texts,
  assets,
  logos,
  newsletter,
  promotions: { current: () => undefined, previewed: async () => undefined },
};

const site = countries.get("DE");
if (!site) throw new Error("no footer to render");
const kept = await prepare(createFooterFragment(sources), site);
const anew = await prepare(createFooterFragment(sources, renderAnew), site);
const buildProps = () => buildFooterProps(sources, site, parameters, files, { version: 0 });
const props = buildProps();

const subjects: Record<RenderSubject, () => Promise<unknown>> = {
  stream: () => render(<Footer {...props} />),
  whole: () => render(anew.element()),
  parts: () => render(kept.element()),
  props: async () => buildProps(),
};

/** Time per call in each round, in microseconds, as it is written to standard output. */
const times: Record<string, number[]> = {};
// One round more than counts: the first one warms up.
for (let round = 0; round <= rounds; round++) {
  for (const [name, subject] of Object.entries(subjects)) {
    const time = await timePerCall(subject);
    if (round > 0) times[name] = [...(times[name] ?? []), time];
  }
}
console.log(JSON.stringify(times));

/** Builds what the service shows to a request without parameters. */
async function prepare(footer: Fragment, of: Site): Promise<FragmentContent> {
  const variant = await askFragment(footer, {}).prepare(of, { cookies: {} }, async () => undefined);
  return variant.build();
}

/** Renders as the service does, to a stream with a deadline. */
async function render(element: ReactElement) {
  return collectStream(await renderStream(element, { deadline: 0.8 * second, startAt: "all" }));
}

/** Measures the processor time of this thread, as other work on the machine changes the time of the clock. */
async function timePerCall(call: () => Promise<unknown>): Promise<number> {
  const ended = performance.now() + batch;
  const before = process.threadCpuUsage();
  let calls = 0;
  while (performance.now() < ended) {
    await call();
    calls++;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / calls;
}
