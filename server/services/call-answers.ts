/** What a call of a service answers when it says, with a status of 2xx, that it has done what it was asked. */
export interface CallAnswer {
  /** Method and path; what differs from call to call is in braces. */
  call: string;
  /** The file of schemas/, without `.schema.json`, which the JSON of the answer matches; undefined for any body. */
  schema?: string;
  /** Whether cookies come with the answer. */
  setsCookies?: boolean;
}

const subscribers = "/service/newsletter/api/{api}/newsletter-subscribers";
const customers = "/service/newsletter/api/private/customers";
const preview = "/service/preview/api";

/** The calls whose answers are known. docs/services.md has the same list: test/docs/tables.test.ts */
export const callAnswers: readonly CallAnswer[] = [
  { call: `POST ${subscribers}`, schema: "newsletter-accepted" },
  { call: `GET ${subscribers}/{token}`, schema: "newsletter-status" },
  { call: `PUT ${subscribers}/{token}/doi`, schema: "newsletter-confirmed" },
  { call: `GET ${customers}/base-data`, schema: "customer" },
  { call: `GET ${customers}/newsletter-status`, schema: "newsletter-status" },
  { call: "GET /service/customerfrontenddata/api/v1/psdata", schema: "known-email" },
  { call: "POST /service/login/api/v1/login", setsCookies: true },
  { call: `POST ${preview}/auth/login`, schema: "preview-answer", setsCookies: true },
  { call: `GET ${preview}/auth/checkauth`, schema: "preview-check-answer" },
  { call: `POST ${preview}/auth/login/renew`, schema: "preview-answer" },
  { call: `POST ${preview}/auth/logout`, schema: "preview-answer" },
  { call: `POST ${preview}/token`, schema: "preview-answer" },
  { call: "GET /service/promotion/api/promotion/{key}", schema: "promotion-answer" },
  { call: "GET /service/abtestfrontend/api/v1/gettestsat", schema: "ab-tests-answer" },
];
