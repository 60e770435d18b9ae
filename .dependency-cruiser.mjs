/**
 * Which way imports may run: `npm run check` holds it, and imports of types count, too.
 *
 *   npx depcruise --output-type err-long server client countries schemas packages test      lists what runs another way, and why not
 */

/** Folders of the server that serve any feature, from the ground up, in the order of docs/develop.md. */
const floors = "platform config brand sites http process upstream store accounts oidc rendering".split(" ");
/** The parts of the client that run in the browser, a feature each. */
const clientFeatures = "^client/features/([^/]+)/";

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
      "package-without-service",
      "Page teams install the client without the service.",
      { path: "^packages/" },
      { path: "^(server|client|countries)/", pathNot: "^server/http/edge-routes[.]ts$" },
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
      { path: "^client/(features|pages|islands|services|host-page|[^/]+$)" },
    ),
    forbid(
      "docs-in-examples",
      "The documentation of widgets stays out of pages.",
      {
        path: "^client/",
        pathNot: "[.]examples[.]|^client/((features|pages)/gallery/|widgets/widget-doc[.])",
      },
      { path: "[.]examples[.]|^client/widgets/widget-doc[.]" },
    ),
    forbid(
      "islands-below-features",
      "Which component an island is, client/island-components.ts says.",
      { path: "^client/(islands|host-page|icons|links|assets)/" },
      { path: "^client/(features|pages|widgets|[^/]+$)" },
    ),
    forbid(
      "client-features-apart",
      "Features meet in client/boot.ts and client/island-components.ts.",
      { path: clientFeatures },
      { path: "^client/(features|pages)/", pathNot: "^client/features/$1/" },
    ),
    forbid(
      "client-composers-last",
      "Nothing imports what brings the features together.",
      { path: "^client/[^/]+/" },
      { path: "^client/[^/]+$" },
    ),

    ...floors.map((floor, at) =>
      forbid(
        "down-the-floors",
        "What serves any feature knows none of them, and of the server's other folders those below it alone.",
        { path: `^server/${floor}/` },
        { path: `^server/((${[...floors.slice(at + 1), "features", "commands"].join("|")})/|[^/]+$)` },
      ),
    ),
    forbid(
      "features-by-their-doors",
      "A feature is entered by index.ts, what others call of it is in service.ts, what operators do in commands.ts.",
      { path: "^server/", pathNot: "^server/features/" },
      { path: "^server/features/[^/]+/", pathNot: "^server/features/[^/]+/(index|service|commands)[.]ts$" },
    ),
    forbid(
      "features-apart",
      "Features meet in server/app.ts; one knows another by its service.ts alone.",
      { path: "^server/features/([^/]+)/" },
      { path: "^server/features/[^/]+/", pathNot: "^server/features/($1/|[^/]+/service[.]ts$)" },
    ),
    forbid(
      "index-chooses",
      "A feature's index.ts chooses the embedded or the real service, and its commands work on the embedded one. Its pages, fragments and service.ts don't know which it is.",
      { path: "^server/features/[^/]+/[^/]+$", pathNot: "^server/features/(feature|[^/]+/(index|commands))[.]ts$" },
      { path: "^server/(accounts|store)/|^server/features/[^/]+/embedded/" },
    ),
    forbid(
      "pages-know-no-form",
      "A page doesn't know whether an embedded or a real service answers, in whichever folder it is.",
      { path: "^server/features/.*(page|fragment)[^/]*$", pathNot: "/embedded/" },
      { path: "^server/(accounts|store)/|^server/features/[^/]+/embedded/" },
    ),
    forbid(
      "embedded-on-its-parts",
      "Mails, webhooks, queues, forms and sessions serve the embedded service, and don't know it.",
      { path: "^server/features/[^/]+/(forms|mail|queue|sessions|webhook)/" },
      { path: "^server/features/[^/]+/embedded/" },
    ),
    forbid(
      "server-composers-last",
      "Nothing imports what brings the features together.",
      { path: "^server/features/" },
      { path: "^server/(commands/|(main|start|app)[.]ts$)" },
    ),
    forbid(
      "commands-apart",
      "What serves shoppers loads no command.",
      { path: "^server/", pathNot: "^server/commands/" },
      { path: "^server/commands/" },
    ),
    forbid(
      "check-upstream-by-its-door",
      "The check of real services is entered by command.ts.",
      { path: "^server/", pathNot: "^server/commands/check-upstream/" },
      { path: "^server/commands/check-upstream/", pathNot: "/command[.]ts$" },
    ),
    forbid(
      "dev-apart",
      "Production loads nothing of the edit loop.",
      { path: "^server/", pathNot: "^server/commands/dev/" },
      { path: "^server/commands/dev/", dependencyTypesNot: ["dynamic-import"] },
    ),
  ],
  options: {
    // TypeScript 7 has no interface for other programs; swc reads the sources, imports of types included.
    parser: "swc",
    exclude: "(^|/)node_modules/|^test/bench/peers/built/",
  },
};
