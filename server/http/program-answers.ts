import type { Failure, FailureKind, FieldFault } from "../errors.ts";

interface ProgramAnswer {
  status: number;
  type: string;
  /** The word that the preview panel reads; undefined where it is answered as every program is. */
  word?: PanelWord;
  /** Sentence for people; undefined where the failure's own message is told. */
  title?: string;
}

type PanelWord = keyof typeof panelStatuses;

/** The words that the preview panel knows, and the status of each. */
const panelStatuses = { BAD_REQUEST: 400, UNAUTHORIZED: 401, INTERNAL_ERROR: 500 } as const;

/** What programs are answered, by the kind of failure. */
const answers: Record<FailureKind, ProgramAnswer> = {
  badRequest: { status: 400, type: "INVALID_REQUEST", word: "BAD_REQUEST" },
  invalid: { status: 400, type: "INVALID_REQUEST", word: "BAD_REQUEST" },
  invalidEmail: { status: 400, type: "INVALID_EMAIL", word: "BAD_REQUEST" },
  unauthorized: { status: 401, type: "UNAUTHORIZED", word: "UNAUTHORIZED" },
  // A call from another site's page doesn't come from the panel: test/server/shop/preview/preview-routes.test.ts
  forbidden: { status: 403, type: "FORBIDDEN" },
  notFound: { status: 404, type: "NOT_FOUND", word: "BAD_REQUEST" },
  wrongMethod: { status: 405, type: "METHOD_NOT_ALLOWED" },
  invalidToken: { status: 404, type: "INVALID_TOKEN", word: "BAD_REQUEST" },
  expired: { status: 410, type: "TOKEN_EXPIRED", word: "BAD_REQUEST" },
  badLink: { status: 410, type: "TOKEN_EXPIRED", word: "BAD_REQUEST" },
  tooLarge: { status: 413, type: "PAYLOAD_TOO_LARGE", word: "BAD_REQUEST" },
  unsupported: { status: 415, type: "INVALID_REQUEST", word: "BAD_REQUEST" },
  preconditionFailed: { status: 412, type: "INVALID_REQUEST", word: "BAD_REQUEST" },
  badRange: { status: 416, type: "INVALID_REQUEST", word: "BAD_REQUEST" },
  rateLimited: { status: 429, type: "RATE_LIMITED", word: "BAD_REQUEST" },
  clientGone: { status: 499, type: "INVALID_REQUEST", word: "BAD_REQUEST", title: "the request can't be read" },
  unavailable: {
    status: 503,
    type: "UNAVAILABLE",
    word: "INTERNAL_ERROR",
    title: "the service isn't available, please try again later",
  },
  failed: { status: 500, type: "INTERNAL_ERROR", word: "INTERNAL_ERROR", title: "the service has failed" },
};

/** What a service call answers when it fails. */
export interface ServiceError {
  /** The failure's name for programs. */
  type: string;
  /** Sentence for people. */
  title: string;
  status: number;
  /** The fields of the request that are wrong. */
  errors?: readonly FieldFault[];
}

/** Describes a failure to programs. A caller's mistake is told with its reason, our own without. */
export function describeFailure({ kind, message, fields = [] }: Failure): ServiceError {
  const { type, status, title } = answers[kind];
  return { type, title: message ?? title ?? "", status, ...(fields.length > 0 && { errors: fields }) };
}

/**
 * Describes a failure to the preview panel, which reads one word; undefined where it is answered as every program is.
 */
export function describeToPanel({ kind, fields = [] }: Failure) {
  const { word } = answers[kind];
  return word && { status: panelStatuses[word], body: { status: word, ...(fields.length > 0 && { errors: fields }) } };
}
