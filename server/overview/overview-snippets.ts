import type { OverviewSnippet } from "../../client/overview/overview-props.ts";
import {
  browserCode,
  type IncludeTarget,
  nginxConfig,
  nodeCode,
  podiumCode,
  tailorCode,
  varnishConfig,
} from "./overview-code.ts";

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
        { label: "block.config", code: nginxConfig(service) },
        ...pages(target, (path) => `<!--# include virtual="${path}" -->`),
      ],
    },
    {
      name: "composer.varnish",
      hint: "composer.varnish.hint",
      blocks: [
        { label: "block.config", code: varnishConfig(new URL(service)) },
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
        { label: "block.server", code: tailorCode },
        ...pages(
          target,
          (path) => `<fragment src="${attribute(service + path)}" timeout="1000"></fragment>`,
          // A parser of HTML moves elements that it doesn't know from the head to the body.
          (path) => `<script type="fragment" src="${attribute(service + path)}" timeout="1000"></script>`,
        ),
      ],
    },
    { name: "composer.node", hint: "composer.node.hint", blocks: script(nodeCode, service) },
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
