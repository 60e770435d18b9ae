/** How tags are written in a header, and how many of them its readers take. */
interface TagForm {
  separator: string;
  /** Longest tag and longest value of the header, in bytes. A tag is ASCII. */
  longestTag: number;
  longestValue: number;
  mostTags: number;
  /** Rewrites a tag with characters that the header's readers refuse. */
  rewrite?(tag: string): string;
}

/** The forms of known headers, by name in lower case. */
const forms: Readonly<Record<string, TagForm>> = {
  // https://www.fastly.com/documentation/reference/http/http-headers/Surrogate-Key/
  "surrogate-key": { separator: " ", longestTag: 1024, longestValue: 16_384, mostTags: Infinity },
  // https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/
  "cache-tag": { separator: ",", longestTag: 1024, longestValue: 16_384, mostTags: 1000 },
  // No colon is allowed: https://techdocs.akamai.com/purge-cache/docs/purge-content-cache-tag. The length of the value
  // isn't documented; longer ones than this are known to be cut: https://www.drupal.org/project/purge_akamai_optimizer
  "edge-cache-tag": {
    separator: ",",
    longestTag: 128,
    longestValue: 8192,
    mostTags: 128,
    rewrite: (tag) => tag.replaceAll(":", "."),
  },
};

/**
 * Every other header is CloudFront's, whose name its distribution chooses; 50 tags of the longest kind are 12,849 bytes:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/invalidation-specifying-tags.html
 */
const otherForm: TagForm = { separator: ",", longestTag: 256, longestValue: 12_849, mostTags: 50 };

export type EdgeTags = ReturnType<typeof createEdgeTags>;

/**
 * Creates the writer of the headers by whose tags an edge purges a response.
 * @param names - the names of the headers
 */
export function createEdgeTags(names: readonly string[]) {
  const headers = names.map((name) => ({ name, form: forms[name.toLowerCase()] ?? otherForm }));
  return {
    names,
    /**
     * Writes tags into every header.
     * @param tags - ASCII without spaces and commas, the most important first: a header leaves out what exceeds its
     * limits, as the edge would
     */
    headersOf: (tags: readonly string[]): Record<string, string> =>
      Object.fromEntries(headers.map(({ name, form }) => [name, writeTags(tags, form)])),
  };
}

function writeTags(tags: readonly string[], form: TagForm): string {
  const { separator, longestTag, longestValue, mostTags, rewrite = (tag) => tag } = form;
  const fitting = tags.filter((tag) => tag.length <= longestTag).slice(0, mostTags);
  let value = "";
  for (const tag of fitting.map(rewrite)) {
    const longer = value && `${value}${separator}`;
    if (longer.length + tag.length > longestValue) break;
    value = longer + tag;
  }
  return value;
}
