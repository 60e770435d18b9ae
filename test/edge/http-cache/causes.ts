/** Why tests of the suite fail behind the recipes, in the words of the documents. */
export interface Cause {
  says: string;
  /** The beginnings of the tests' ids. */
  nginx?: readonly string[];
  varnish?: readonly string[];
}

export const causes: readonly Cause[] = [
  {
    says: "It counts the age of a copy from when it came, whatever `Age` says. Put no other cache between it and the service, which sends no `Age`",
    nginx: ["freshness-max-age-age", "age-parse-"],
  },
  {
    says: "It takes a malformed `Age` for none, or for its first part. The service sends no `Age`",
    varnish: ["age-parse-"],
  },
  {
    says: "It fetches a copy that isn't fresh anew, and doesn't ask by `If-None-Match` whether it has changed: a fragment is small",
    nginx: [
      ...["cc-resp-no-cache-revalidate", "cc-resp-must-revalidate-stale", "conditional-etag-vary-headers"],
      ...["conditional-etag-strong-generate", "conditional-etag-weak-generate-weak"],
    ],
    varnish: ["cc-resp-no-cache-revalidate"],
  },
  {
    says: "It doesn't keep what has a past `Expires`, which the service doesn't send",
    nginx: ["freshness-max-age-s-maxage-shared-shorter-expires"],
  },
  {
    says: "It keeps a copy for ten more seconds, also with `must-revalidate`, where `Cache-Control` says nothing of `stale-while-revalidate`. A fresh fragment says it",
    varnish: [
      "freshness-max-age-s-maxage-shared-longer",
      ...["stale-close-must-revalidate", "stale-close-proxy-revalidate", "stale-close-s-maxage=2"],
    ],
  },
  {
    says: "The recipe itself answers, and shows nothing, where there is no copy that it may show: the suite wants the server's error",
    nginx: ["stale-close-"],
    varnish: ["stale-close-no-cache"],
  },
  {
    says: "It compares request headers that `Vary` names letter by letter. A fragment has no `Vary`",
    nginx: ["vary-normalise-"],
    varnish: ["vary-normalise-"],
  },
  {
    says: "It answers 304 only if `If-Modified-Since` agrees, too. Includes have neither",
    nginx: ["conditional-etag-precedence"],
  },
  {
    says: "It knows no list of tags in `If-None-Match`, which includes don't have",
    varnish: ["conditional-etag-strong-respond-multiple-"],
  },
  {
    says: "The recipe compresses copies, which makes a strong `ETag` weak, also in its own `If-None-Match`. The service takes both",
    varnish: ["conditional-etag-strong-generate"],
  },
];
