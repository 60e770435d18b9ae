import { exampleOf, type Operation } from "../../upstream/service-documents.ts";
import type { Check } from "./check.ts";
import { type CallChanges, expectedOf, isForPages, pageHeaders, unknownCookie } from "./documented-call.ts";

/** Values of the variable parts of a path. */
type PathValues = NonNullable<CallChanges["path"]>;

/** Makes calls of one operation, and reports how the answers differ. */
type AskOne = ReturnType<typeof askOne>;
const askOne =
  ({ ask }: Check, operation: Operation, path: PathValues) =>
  (changes: CallChanges, what: string, ...statuses: number[]) =>
    ask(operation, { ...changes, path }, what, ...statuses);

const elsewhere = "https://elsewhere.example";
/** The headers of calls that no page of the shop makes. */
const forgeries: Record<string, Record<string, string | undefined>> = {
  "without X-hunter-csrf": { "x-hunter-csrf": undefined },
  "by a page of another site": { origin: elsewhere, "sec-fetch-site": "cross-site" },
  "with a foreign Origin alone": { origin: elsewhere, "sec-fetch-site": undefined },
  "without Origin and Sec-Fetch-Site": { origin: undefined, "sec-fetch-site": undefined },
};

/** Checks the documented answers to callers who may not make a call, and to calls with wrong values. */
export async function checkDocumentedRules(check: Check): Promise<void> {
  for (const operation of check.operations.filter((one) => one["x-polled"]))
    await checkExamples(operation, askOne(check, operation, {}));
  const operations = check.operations.filter((one) => !one["x-optional"] && !one["x-polled"]);
  await checkUnknownPath(check, operations);
  for (const [, ofPath] of Map.groupBy(operations, ({ path }) => path))
    for (const path of listVariants(ofPath)) {
      await checkMethods(check, ofPath, path);
      for (const operation of ofPath) {
        const ask = askOne(check, operation, path);
        await checkExamples(operation, ask);
        await checkForgeries(operation, ask);
        await checkStrangers(check, operation, ask);
        await checkBodies(check, operation, ask);
      }
    }
}

/** Returns the values of a path's variable parts, of which the document lists all. */
function listVariants([operation]: readonly Operation[]): PathValues[] {
  const [listed] = operation?.parameters?.filter((one) => one.in === "path" && "enum" in one.schema) ?? [];
  if (!listed || !("enum" in listed.schema)) return [{}];
  return [listed.schema.enum].flat().map((value) => ({ [listed.name]: String(value) }));
}

/** Checks that an unknown path is 404: one beside the last documented path. */
async function checkUnknownPath({ ask }: Check, operations: readonly Operation[]): Promise<void> {
  const last = operations.findLast(({ path }) => !path.endsWith("}"));
  if (!last) return;
  const path = last.path.replace(/[^/]+$/, "unknown");
  const parameters = last.parameters?.filter((one) => one.in === "path") ?? [];
  await ask({ method: "GET", path, parameters }, {}, "an unknown path", 404);
}

/** Checks that a path lists its methods, and refuses others. */
async function checkMethods({ ask, url }: Check, operations: readonly Operation[], values: PathValues): Promise<void> {
  const [{ path, parameters = [] } = { path: "" }] = operations;
  const inPath = parameters.filter((one) => one.in === "path");
  const methods = operations.map(({ method }) => method);
  const call = { path, parameters: inPath };
  const asked = await ask({ ...call, method: "OPTIONS" }, { path: values }, "for the methods", 204);
  const changes = { path: values, headers: pageHeaders(url) };
  const refused = await ask({ ...call, method: "DELETE" }, changes, "a wrong method", 405);
  for (const answer of [asked, refused]) {
    const allowed = answer?.headers.allow?.split(",").map((method) => method.trim().toUpperCase()) ?? [];
    if (answer && !methods.every((method) => allowed.includes(method)))
      answer.differs("Allow", `must name ${methods.join(", ")}`, answer.headers.allow ?? "missing");
  }
}

/** Checks that pages of other sites can't make a call that changes data. */
async function checkForgeries(operation: Operation, ask: AskOne): Promise<void> {
  if (!isForPages(operation)) return;
  for (const [what, headers] of Object.entries(forgeries)) await ask({ headers }, what, 403);
}

/** Checks the answers to callers without a valid session, if an operation has answers for sessions. */
async function checkStrangers({ document }: Check, operation: Operation, ask: AskOne): Promise<void> {
  const { parameters = [], security } = operation;
  const sessions = security.map((needed) => needsSession(document, needed));
  if (!sessions.includes(true)) return;
  const statuses = sessions.includes(false) ? expectedOf(operation) : [401];
  const cookies = parameters.filter((one) => one.in === "cookie").map(({ name }) => [name, unknownCookie]);
  await ask({}, "without cookies", ...statuses);
  await ask({ jar: Object.fromEntries(cookies) }, "with unknown cookies", ...statuses);
}

function needsSession({ components }: Check["document"], needed: Operation["security"][number]): boolean {
  return Object.keys(needed).some((name) => components.securitySchemes?.[name]?.in === "cookie");
}

/**
 * Makes a call of each example with a summary. The expected answer has an example of the same name, or is a success.
 */
async function checkExamples(operation: Operation, ask: AskOne): Promise<void> {
  const { parameters = [], requestBody, responses } = operation;
  const holders = [...parameters, ...Object.values(requestBody?.content ?? {})];
  for (const [example, { summary }] of holders.flatMap(({ examples = {} }) => Object.entries(examples))) {
    if (summary === undefined) continue;
    const isAnswer = (status: string) => responses[status]?.content?.["application/json"]?.examples?.[example];
    const named = Object.keys(responses).filter(isAnswer).map(Number);
    await ask({ example }, summary, ...named);
  }
}

/** Checks that anybody gets 400 for half a body, and for one without a required field. */
async function checkBodies({ document }: Check, operation: Operation, ask: AskOne): Promise<void> {
  const { requestBody, responses, security } = operation;
  const body = requestBody?.content["application/json"];
  const isForAnybody = !security.some((needed) => needsSession(document, needed)) && !responses[404];
  if (!body || !responses[400] || !isForAnybody) return;
  const [, name = ""] = /^#\/components\/schemas\/(\w+)$/.exec(Object(body.schema).$ref) ?? [];
  const [field = ""] = Object(document.components.schemas[name]).required?.slice(-1) ?? [];
  const { [field]: _, ...rest } = Object(exampleOf(body));
  await ask({ body: `{ "${field}":` }, "with a body that isn't JSON", 400);
  await ask({ body: rest }, `without ${field}`, 400);
}
