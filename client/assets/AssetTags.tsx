interface AssetTagsProps {
  styles: string[];
  scripts: string[];
}

/**
 * The tags that load stylesheets and scripts. With `precedence` or `async` React would move them
 * (test/server/fragments/fragment-routes.test.ts).
 */
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
