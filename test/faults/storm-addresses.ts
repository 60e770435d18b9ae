import { edgeRoutes } from "../../server/http/edge-routes.ts";
import { imagePaths } from "../../server/http/image-files.ts";
import { pathsOf, routesOf } from "../support/routes-of.ts";
import { createTestApp } from "../support/test-app.ts";

/** An address that a storm requests. The load generator writes another id into each request. */
export interface StormAddress {
  path: string;
  /** Whether the service has the answer in memory, has to make it, or doesn't know the name. */
  kind: "known" | "dynamic" | "made-up";
}

const id = "[<id>]";
const known = (path: string): StormAddress => ({ path, kind: "known" });
const dynamic = (path: string): StormAddress => ({ path, kind: "dynamic" });
const madeUp = (path: string): StormAddress => ({ path, kind: "made-up" });

/**
 * Lists addresses of every route, at least one each.
 * @param file - the name of a built file
 * @returns also the routes without an address, and those that the service doesn't have
 */
export async function listStormAddresses(file: string) {
  const byRoute: Record<string, readonly StormAddress[]> = {
    "/fragments/:name{/:site}/manifest.json": [
      known("/fragments/footer/AT/manifest.json"),
      madeUp(`/fragments/${id}/manifest.json`),
    ],
    "/fragments/:name{/:site}/fallback": [
      ...[known("/fragments/footer/AT/fallback"), madeUp(`/fragments/${id}/fallback`)],
      madeUp(`/fragments/footer/${id}/fallback`),
    ],
    "/fragments/:name/:site.json": [
      ...[known("/fragments/footer/AT.json"), madeUp(`/fragments/${id}/AT.json`)],
      ...[madeUp(`/fragments/footer/${id}.json`), dynamic(`/fragments/footer/AT.json?x=${id}`)],
    ],
    "/fragments/:name{/:site}": [
      ...[known("/fragments/footer/AT"), madeUp(`/fragments/${id}`), madeUp(`/fragments/footer/${id}`)],
      ...[dynamic(`/fragments/footer/AT?x=${id}`), dynamic(`/fragments/newsletter/AT?originAddition=${id}`)],
    ],
    "/fragments/": [madeUp(`/fragments/footer/AT/${id}`)],
    "/assets/inventory.json": [known("/assets/inventory.json")],
    "/assets/": [known(`/assets/${file}`), madeUp(`/assets/${id}.js`), madeUp(`/assets/${id}-ABCDEFGH.js`)],
    "/service/footer-images/": images(imagePaths.logos, "visa.svg"),
    "/service/newsletterfrontend/newslettersubscriptionform/": images(imagePaths.pictures, "400x300.svg"),
    "/service/newsletter/api/": [
      dynamic("/service/newsletter/api/private/customers/newsletter-status"),
      madeUp(`/service/newsletter/api/internal/newsletter-subscribers/${id}`),
    ],
    "/service/promotion/": [
      dynamic("/service/promotion/api/promotion/SHOP_FOOTER"),
      madeUp(`/service/promotion/api/promotion/${id}`),
    ],
    "/service/customerfrontenddata/": [dynamic("/service/customerfrontenddata/api/v1/psdata")],
    "/service/login/": [dynamic("/service/login/api/v1/login"), madeUp(`/service/login/${id}`)],
    "/service/preview/": [dynamic("/service/preview/api/auth/checkauth"), madeUp(`/service/preview/${id}`)],
    "/service/abtestfrontend/": [dynamic("/service/abtestfrontend/api/v1/getassignment")],
    "/newsletter/": [madeUp(`/newsletter/${id}`)],
    "/openapi/:service.json": [dynamic("/openapi/login.json"), madeUp(`/openapi/${id}.json`)],
    "/widgets/:widget": [dynamic("/widgets/button"), madeUp(`/widgets/${id}`)],
    // What no route answers.
    "*": [madeUp(`/${id}`), madeUp(`/service/${id}`)],
  };
  const routes = await listRoutes();
  const addresses = [...new Set([...routes, ...Object.keys(byRoute)])].map(
    (route) => byRoute[route] ?? (/[:{*]|\/$/.test(route) && route !== "/" ? [] : [dynamic(route)]),
  );
  return {
    addresses: addresses.flat(),
    without: routes.filter((_, index) => addresses[index]?.length === 0),
    gone: Object.keys(byRoute).filter((route) => route !== "*" && !routes.includes(route)),
  };
}

function images(path: string, file: string): StormAddress[] {
  return [
    known(`${path}/${file}`),
    madeUp(`${path}/${id}.svg`),
    madeUp(`${path}/${file}?v=${id}`),
    madeUp(`${path}/made-up.svg?v=ABCDEFGH`),
  ];
}

/**
 * Lists everything that the service answers except health checks: its routes, and the folders that edges send to it.
 */
async function listRoutes(): Promise<string[]> {
  const { app } = await createTestApp({ overview: true });
  const paths = routesOf(app.router)
    .flatMap(pathsOf)
    .filter((path) => !/^\/(?:livez|readyz)$/.test(path));
  return [...new Set([...paths, ...edgeRoutes])];
}
