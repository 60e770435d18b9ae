/**
 * Which way imports may run: `npm run check` holds it, and imports of types count, too.
 *
 *   npx depcruise --output-type err-long server client countries schemas test      lists what runs another way, and why not
 */

const serverFeatures = "footer|newsletter|login|preview|overview|gallery|demo";
/** What only the composers and shop/open-shop.ts may bring together. */
const composed = `^server/(${serverFeatures}|pages|shop|upstreams)/`;
const composers = "^server/((app|main|start|commands|create-fragments)\\.ts$|commands/)";
const clientFeatures = "footer|newsletter|login|preview|session|page|overview|gallery|demo";

/** @param reason - what the message says beside the two files */
function forbid(name, reason, from, to) {
  return { name, comment: reason, severity: "error", from, to };
}

export default {
  forbidden: [
    forbid(
      "no-circle",
      "Neither of the files can be understood, tested or moved without the other.",
      {},
      { circular: true },
    ),
    forbid(
      "resolvable",
      "The file that is imported doesn't exist.",
      {},
      { couldNotResolve: true, path: "^[.]", pathNot: "[?]built$|^[.]/built/" },
    ),
    forbid("no-test-in-source", "What runs in production imports no test.", { pathNot: "^test/" }, { path: "^test/" }),

    forbid(
      "countries-are-data",
      "A country computes nothing.",
      { path: "^countries/" },
      { dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "rules-compute-alone",
      "Rules compute with what they are given.",
      { path: "^client/rules/" },
      { pathNot: "^client/rules/", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "schemas-first",
      "Schemas describe what others read.",
      { path: "^schemas/" },
      { path: "^(server|client|countries)/" },
    ),
    forbid(
      "client-without-server",
      "The browser gets nothing of the server.",
      { path: "^client/" },
      { path: "^(server|countries)/" },
    ),

    forbid(
      "rules-first",
      "Rules are what both sides compute.",
      { path: "^client/rules/" },
      { path: "^client/", pathNot: "^client/rules/" },
    ),
    forbid(
      "services-on-rules",
      "A caller of a service knows no feature.",
      { path: "^client/services/" },
      { path: "^client/", pathNot: "^client/(services|rules)/" },
    ),
    forbid(
      "widgets-alone",
      "A widget serves any feature.",
      { path: "^client/widgets/" },
      { path: `^client/(${clientFeatures}|islands|services|host-page|[^/]+$)` },
    ),
    forbid(
      "docs-in-examples",
      "The documentation of widgets stays out of pages.",
      {
        path: "^client/",
        pathNot: "[.]examples[.]|^client/(gallery/|widgets/(widget-doc|text-input/input-properties)[.])",
      },
      { path: "[.]examples[.]|^client/widgets/(widget-doc|text-input/input-properties)[.]" },
    ),
    forbid(
      "islands-below-features",
      "Which component an island is, client/island-components.ts says.",
      { path: "^client/(islands|host-page|icons|links|assets|code)/" },
      { path: `^client/(${clientFeatures}|widgets|[^/]+$)` },
    ),
    forbid(
      "client-features-apart",
      "Features meet in client/boot.ts and client/island-components.ts.",
      { path: `^client/(${clientFeatures})/` },
      { path: `^client/(${clientFeatures})/`, pathNot: "^client/($1|page)/" },
    ),
    forbid(
      "client-composers-last",
      "Nothing imports what brings the features together.",
      { path: "^client/[^/]+/" },
      { path: "^client/[^/]+$" },
    ),

    forbid(
      "server-base-first",
      "The base serves any feature.",
      { path: "^server/(http|images|render|sites|tracing)/|^server/[^/]+$", pathNot: composers },
      { path: composed },
    ),
    forbid(
      "fragments-below-features",
      "The renderer of fragments knows none of them.",
      { path: "^server/fragments/" },
      { path: composed },
    ),
    forbid(
      "services-are-interfaces",
      "An interface doesn't know who implements or uses it.",
      { path: "^server/services/" },
      { path: composed },
    ),
    forbid(
      "shop-alone",
      "The embedded services stand by themselves.",
      { path: "^server/shop/", pathNot: "^server/shop/open-shop[.]ts$" },
      { path: `^server/(${serverFeatures}|pages|fragments|upstreams)/` },
    ),
    forbid(
      "upstreams-alone",
      "The real services stand by themselves.",
      { path: "^server/upstreams/" },
      { path: `^server/(${serverFeatures}|pages|fragments|shop)/` },
    ),
    forbid(
      "features-without-shop",
      "A feature knows a service by its interface in server/services.",
      { path: `^server/(${serverFeatures}|pages)/` },
      { path: "^server/(shop|upstreams)/" },
    ),
    forbid(
      "pages-below-features",
      "The renderer of pages knows none of the features that use it.",
      { path: "^server/pages/" },
      { path: `^server/(${serverFeatures})/` },
    ),
    forbid(
      "server-features-apart",
      "Features meet in the composers.",
      { path: `^server/(${serverFeatures})/` },
      { path: `^server/(${serverFeatures})/`, pathNot: "^server/$1/" },
    ),
    forbid(
      "server-composers-last",
      "Nothing imports what brings the features together.",
      { path: "^server/", pathNot: composers },
      { path: `${composers}|^server/shop/open-shop[.]ts$` },
    ),
  ],
  options: {
    // TypeScript 7 has no interface for other programs; swc reads the sources, imports of types included.
    parser: "swc",
    exclude: "(^|/)node_modules/|^test/bench/peers/(built|next)/",
  },
};
