/** A request with `$NAME` in place of each value that nobody may read. */
export interface Message {
  method: string;
  /** The URL of the service. */
  url: string;
  /** Path below it, with its query. */
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string | undefined;
  /** The values by name. */
  secrets: Readonly<Record<string, string>>;
}

const placeholder = /\$(\w+)/g;

/** Returns what is sent: the message with the values. */
export function fillIn({ method, path, headers, body, secrets }: Message) {
  const fill = (text: string, encode = (value: string) => value) =>
    text.replaceAll(placeholder, (all, name) => (name in secrets ? encode(secrets[name] ?? "") : all));
  return {
    method,
    path: fill(path, encodeURIComponent),
    headers: Object.fromEntries(listHeaders(headers).map(([name, value]) => [name, fill(value)])),
    body: body === undefined ? undefined : Buffer.from(fill(body, asJson)),
  };
}

function listHeaders(headers: Message["headers"]): [name: string, value: string][] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

/** Replaces the values in a text by their names, as they are and as JSON has them. */
export function redact(text: string, { secrets }: Message): string {
  return Object.entries(secrets).reduce((redacted, [name, value]) => {
    if (value === "") return redacted;
    return redacted.replaceAll(value, () => `$${name}`).replaceAll(asJson(value), () => `$${name}`);
  }, text);
}

function asJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Writes a message as a line for a shell, which has the values in variables. */
export function writeCurl({ method, url, path, headers, body, secrets }: Message): string {
  const words = ["curl", "--include", "--request", method, quote(url.replace(/\/+$/, "") + path)];
  for (const [name, value] of listHeaders(headers)) words.push("--header", quote(`${name}: ${value}`));
  if (body !== undefined) words.push("--data", quote(body));
  return words.join(" ");

  function quote(text: string): string {
    return quoteForShell(text).replaceAll(placeholder, (all, name) => (name in secrets ? `'"$${name}"'` : all));
  }
}

/** Writes a text as a word of a line for a shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
