/** Why tests of the suite fail with a recipe, as the document says it. */
export interface Cause {
  says: string;
  /** The beginnings of the tests' ids. */
  nginx?: readonly string[];
  varnish?: readonly string[];
}

export const causes: readonly Cause[] = [
  {
    says: "It ignores `Age`, and counts the age of a copy from its arrival. The service sends no `Age`, so put no other cache between the two",
    nginx: ["freshness-max-age-age", "age-parse-"],
  },
  {
    says: "It ignores a malformed `Age`, or reads its first part. The service sends no `Age`",
    varnish: ["age-parse-"],
  },
  {
    says: "It fetches an expired copy again instead of revalidating it by `If-None-Match`. A fragment is small",
    nginx: [
      ...["cc-resp-no-cache-revalidate", "cc-resp-must-revalidate-stale", "conditional-etag-vary-headers"],
      ...["conditional-etag-strong-generate", "conditional-etag-weak-generate-weak"],
    ],
    varnish: ["cc-resp-no-cache-revalidate"],
  },
  {
    says: "It stores no response with a past `Expires`. The service sends no `Expires`",
    nginx: ["freshness-max-age-s-maxage-shared-shorter-expires"],
  },
  {
    says: "Without `stale-while-revalidate`, it uses a copy for ten more seconds, even with `must-revalidate`. A fresh fragment has `stale-while-revalidate`",
    varnish: [
      "freshness-max-age-s-maxage-shared-longer",
      ...["stale-close-must-revalidate", "stale-close-proxy-revalidate", "stale-close-s-maxage=2"],
    ],
  },
  {
    says: "If there is no usable copy, the recipe answers with an empty body. The suite expects the server's error",
    nginx: ["stale-close-"],
    varnish: ["stale-close-no-cache"],
  },
  {
    says: "It doesn't normalise the request headers named in `Vary`. A fragment has no `Vary`",
    nginx: ["vary-normalise-"],
    varnish: ["vary-normalise-"],
  },
  {
    says: "With `If-None-Match` and `If-Modified-Since`, it answers 304 only if both match. Includes send neither",
    nginx: ["conditional-etag-precedence"],
  },
  {
    says: "It doesn't understand several tags in `If-None-Match`. Includes don't send the header",
    varnish: ["conditional-etag-strong-respond-multiple-"],
  },
  {
    says: "The recipe compresses copies, which makes a strong `ETag` weak, and sends the weak one in `If-None-Match`. The service accepts both",
    varnish: ["conditional-etag-strong-generate"],
  },
];
