import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Env } from "../../server/config/env.ts";
import type { AppContext } from "../../server/features/feature.ts";
import type { Translate } from "../../server/platform/texts.ts";
import { readCountries, type Site } from "../../server/sites/countries.ts";
import { footerTextLocale } from "../../server/sites/site.ts";
import type { Store } from "../../server/store/open-store.ts";
import { brand, createTestApp, drawings, testLogger, texts } from "../support/test-app.ts";
import { endWithStores, openTestStore } from "../support/test-store.ts";
import { startMail, type TestMail } from "./start-mail.ts";

export interface Shop {
  /** Every site of the registry, with the origin it is served at. */
  sites: readonly Site[];
  /** Address of a page of a site. */
  address(site: Site, path?: string): string;
  /** The origin of the service itself, for no site in particular. */
  listener: string;
  /** Footer texts of a site. */
  texts(site: Site): Translate<"footer">;
  /** Answers a URL instead of the service. Playwright's own interception would disable the browser's cache. */
  answer(address: string, listener: RequestListener): void;
  mailsTo: TestMail["mailsTo"];
  store: Store;
  close(): Promise<void>;
}

/** Long enough to wrap, so that every test sees the effect of long promotions. */
const promotion = {
  headline: "Coffee weeks in every shop and online",
  text: "A tenth off every coffee bean until Sunday, on top of the discount of your loyalty card, while stocks last.",
  link: { url: "/category/coffee", text: "Discover our coffees" },
};

export interface ShopOptions {
  /** Wraps everything that answers. */
  watch?: (listener: RequestListener) => RequestListener;
  /** The parts of the shop that replace the built-in ones. */
  own?: Pick<AppContext, "assets" | "brand"> | undefined;
  /** Starts the identity providers of sites, which must know the shop's port. */
  startProviders?: ((port: number) => Promise<Env["identityProviders"]>) | undefined;
}

/** Starts the real service on a free port, every site at its local host and with a promotion. */
export async function startShop({
  watch = (listener) => listener,
  own,
  startProviders,
}: ShopOptions = {}): Promise<Shop> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const { countries } = await readCountries({ folder: "countries", drawings, texts, localPort: port });
  const store = await openTestStore(testLogger);
  const mail = startMail(store, countries, own?.brand ?? brand);
  endWithStores(mail.worker.close);
  const { app } = await createTestApp({
    ...own,
    ...(startProviders && { identityProviders: await startProviders(port) }),
    countries,
    // The home page is the demo's.
    demo: true,
    openMailTransport: () => mail.transport,
    promotions: { current: () => promotion },
    store,
    texts,
  });
  const answers = new Map<string, RequestListener>();
  const answer: RequestListener = (request, response) => {
    const listener = answers.get(`http://${request.headers.host}${request.url}`) ?? app;
    listener(request, response);
  };
  server.on("request", watch(answer));

  return {
    sites: countries.sites,
    address: (site, path = "/") => `http://${site.localHost}:${port}${path}`,
    listener: `http://127.0.0.1:${port}`,
    texts: (site) => texts.translator(footerTextLocale(site), "footer", site.facts),
    answer: (address, listener) => void answers.set(address, listener),
    mailsTo: mail.mailsTo,
    store,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
