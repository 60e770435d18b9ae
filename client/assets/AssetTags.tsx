interface AssetTagsProps {
  styles: string[];
  scripts: string[];
}

/** Tags that load stylesheets and scripts. With `precedence` or `async` React would hoist them out of the fragment. */
export function AssetTags({ styles, scripts }: AssetTagsProps) {
  return (
    <>
      {styles.map((url) => (
        <link key={url} rel="stylesheet" href={url} />
      ))}
      {scripts.map((url) => (
        <script key={url} type="module" src={url} />
      ))}
    </>
  );
}
