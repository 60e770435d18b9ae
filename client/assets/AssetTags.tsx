/** Stylesheets and scripts as a page loads them. The browser refuses a file whose bytes don't match its `integrity`. */
export interface AssetFiles {
  styles: { href: string; integrity: string }[];
  scripts: { src: string; integrity: string; type: "module" }[];
}

/** Tags that load stylesheets and scripts. With `precedence` or `async` React would hoist them out of the fragment. */
export function AssetTags({ styles, scripts }: AssetFiles) {
  return (
    <>
      {styles.map((style) => (
        <link key={style.href} rel="stylesheet" {...style} crossOrigin={crossOriginOf(style.href)} />
      ))}
      {scripts.map((script) => (
        <script key={script.src} {...script} crossOrigin={crossOriginOf(script.src)} />
      ))}
    </>
  );
}

/** A browser can check a file from another origin only if it is requested by CORS. */
function crossOriginOf(url: string): "anonymous" | undefined {
  return url.startsWith("/") ? undefined : "anonymous";
}
