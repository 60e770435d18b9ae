/** Rules of real shop pages. Each would spoil a fragment that doesn't defend itself. */
export const hostileStyles: Readonly<Record<string, string>> = {
  "a universal reset": `
    *, *::before, *::after {
      box-sizing: content-box; margin: 9px; padding: 3px; color: red; letter-spacing: 4px; line-height: 3; min-width: 30px;
    }`,
  "text styles on the body": `
    body {
      font: italic small-caps 900 21px/2.4 fantasy; color: white; background: black; text-align: right; text-indent: 2em;
      text-transform: uppercase; text-shadow: 1px 1px lime; letter-spacing: 3px; word-spacing: 9px; white-space: nowrap;
      cursor: crosshair; list-style: square inside; hyphens: auto; word-break: break-all; font-feature-settings: "tnum";
      font-variant-numeric: oldstyle-nums; tab-size: 8; quotes: "<" ">"; text-wrap: balance; -webkit-font-smoothing: antialiased;
    }`,
  "rules for links and buttons": `
    a, button, summary {
      background: yellow; border: 3px dotted red; display: block; float: left; font: 700 30px fantasy; padding: 12px;
      text-decoration: overline wavy red; text-transform: uppercase; transition: all 1s; border-radius: 0; min-height: 90px;
    }
    a:link { color: lime; }
    a::after, button::before { content: "»"; }
    a[target="_blank"]::after { content: "↗"; }
    summary::marker { content: "+"; }
    #host a { opacity: 0.5; position: relative; top: 4px; }`,
  "rules for lists, headings and paragraphs": `
    ul { list-style: square; padding: 50px; columns: 2; }
    li { float: left; width: 50%; margin: 0 0 2em; }
    li::before { content: "–"; position: absolute; }
    li + li { border-left: 1px solid; }
    h2, h3 { font: italic 100 60px/1 fantasy; margin: 2em 0; text-align: center; border-bottom: 1px solid; }
    h3::after { content: ""; display: block; height: 4px; background: red; }
    p { max-width: 20ch; margin: 3em 0; text-indent: 2em; font-size: 22px; }`,
  "rules for images and icons": `
    img, svg { display: block; vertical-align: baseline; width: 100%; max-width: 100%; height: auto; margin: 1em auto; }
    img { width: 10px; border-radius: 50%; opacity: 0.5; filter: grayscale(1); }
    svg { fill: none; stroke: red; color: red; overflow: visible; transform: rotate(10deg); }
    svg * { fill: red; stroke-width: 9px; }
    use { display: none; }`,
  "rules for landmarks and disclosures": `
    footer, section, nav, form, details, div {
      background: silver; border: 2px solid red; display: flex; flex-direction: column; padding: 30px; margin: 20px auto;
      max-width: 500px; min-height: 40px; position: relative; overflow: hidden; z-index: 3; box-shadow: 0 0 9px red;
    }
    footer { position: fixed; bottom: 0; opacity: 0.9; contain: paint; transform: scale(0.9); font-family: fantasy; }
    details > summary { list-style: none; cursor: help; }
    details > *:not(summary) { padding: 20px; }
    details::details-content {
      block-size: 0; overflow: clip; opacity: 0; transition: block-size 1s, content-visibility 1s allow-discrete;
    }
    details[open]::details-content { block-size: auto; opacity: 1; }
    body > div > footer { width: 300px; }`,
  "rules with ids and classes": `
    #host#host .slot.slot.slot :is(a, p, li, h2, h3, summary, button) {
      color: red; font: italic 30px fantasy; float: left; text-decoration: overline wavy red; padding: 9px;
    }
    #host#host .slot.slot.slot * { letter-spacing: 4px; opacity: 0.9; }`,
  "the rules with !important of common resets and frameworks": `
    [hidden] { display: none !important; }
    .text-center { text-align: center !important; }
    .d-none, .hidden { display: none !important; }
    @media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation-duration: 1ms !important; } }
    @media print { *, ::before, ::after { color: #000 !important; background: transparent !important; } }`,
};
