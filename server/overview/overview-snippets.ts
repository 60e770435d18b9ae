import type { OverviewSnippet } from "../../client/overview/overview-props.ts";
import { browserCode, type IncludeTarget, nodeCode, podiumCode } from "./overview-code.ts";
import { recipeFor } from "./recipes.ts";

/** Builds the code that includes a fragment, for each composer. */
export function buildSnippets(target: IncludeTarget): OverviewSnippet[] {
  const { path, split, service, site } = target;
  const script = (code: (head: string | undefined, body: string) => string, origin: string) => {
    const whole = target.place === "head" ? code(origin + path, "") : code(undefined, origin + path);
    return [
      { label: "block.code" as const, code: whole },
      ...(split ? [{ label: "block.codeHead" as const, code: code(origin + split.head, origin + split.body) }] : []),
    ];
  };
  return [
    {
      name: "composer.nginx",
      hint: "composer.nginx.hint",
      blocks: [
        { label: "block.config", code: recipeFor("nginx", service) },
        ...pages(target, (path) => `<!--# include virtual="${path}" -->`),
      ],
    },
    {
      name: "composer.varnish",
      hint: "composer.varnish.hint",
      blocks: [
        { label: "block.config", code: recipeFor("varnish", service) },
        ...pages(target, (path) => `<esi:include src="${attribute(path)}" onerror="continue"/>`),
      ],
    },
    {
      name: "composer.podium",
      hint: "composer.podium.hint",
      blocks: [
        { label: "block.manifest", code: service + target.manifest },
        { label: "block.code", code: podiumCode(target, false) },
        ...(split ? [{ label: "block.codeHead" as const, code: podiumCode(target, true) }] : []),
      ],
    },
    {
      name: "composer.tailor",
      hint: "composer.tailor.hint",
      blocks: [
        { label: "block.server", code: recipeFor("tailor", service) },
        ...pages(
          target,
          (path) => `<fragment src="${attribute(service + path)}"></fragment>`,
          // A parser of HTML moves elements that it doesn't know from the head to the body.
          (path) => `<script type="fragment" src="${attribute(service + path)}"></script>`,
        ),
      ],
    },
    {
      name: "composer.node",
      hint: "composer.node.hint",
      blocks: [{ label: "block.module", code: recipeFor("fetch", service) }, ...script(nodeCode, service)],
    },
    {
      name: "composer.worker",
      hint: "composer.worker.hint",
      blocks: [
        { label: "block.server", code: recipeFor("worker", service) },
        ...pages(target, (path) => `<esi:include src="${attribute(path)}"/>`),
      ],
    },
    { name: "composer.browser", hint: "composer.browser.hint", blocks: script(browserCode, site) },
  ];
}

type Tag = (path: string) => string;

/** Builds the page that a composer completes, and its variant with the files in the head where there is one. */
function pages({ path, place, split }: IncludeTarget, inBody: Tag, inHead = inBody): OverviewSnippet["blocks"] {
  const whole = place === "head" ? page(inHead(path), "") : page("", inBody(path));
  if (!split) return [{ label: "block.page", code: whole }];
  return [
    { label: "block.page", code: whole },
    { label: "block.pageHead", code: page(inHead(split.head), inBody(split.body)) },
  ];
}

function page(head: string, body: string): string {
  return [
    "<head>",
    "  <title>…</title>",
    ...(head ? [`  ${head}`] : []),
    "</head>",
    "<body>",
    "  <main>…</main>",
    ...(body ? [`  ${body}`] : []),
    "</body>",
  ].join("\n");
}

function attribute(address: string): string {
  return address.replaceAll("&", "&amp;");
}
