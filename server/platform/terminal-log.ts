import type { IncomingMessage } from "node:http";
import type { WriteStream } from "node:tty";
import { inspect, styleText } from "node:util";
import type { Request } from "express";
import { type Logger, pino } from "pino";
import { prettyFactory } from "pino-pretty";

interface Line {
  level: number;
  time: string;
  msg: string;
  [field: string]: unknown;
}

/** The line that server/http/request-log.ts logs for a request. */
interface RequestLine extends Line {
  req: { host: string; path: string };
  method: string;
  route: string;
  status: number;
  durationMs: number;
  site?: string;
  cache?: string;
  fragmentState?: string;
  reason?: string;
}

/** A request. Express has seen it unless the cache has answered it. */
type LoggedRequest = IncomingMessage & Partial<Pick<Request, "hostname" | "originalUrl">>;

/** The line that server/process/log-configuration.ts logs at the start. */
interface ConfigurationLine extends Line {
  settings: Record<string, unknown>;
  set: readonly string[];
  sites: Record<string, string>;
}

/**
 * Creates the log for developers: a short line per event, and errors with their message, cause and stack.
 * @param stream - the terminal
 */
export function createTerminalLog(level: string, stream: WriteStream): Logger {
  const format = prettyFactory({
    colorize: stream.hasColors(),
    customColors: { message: "reset" },
    useOnlyCustomProps: false,
    translateTime: "SYS:HH:MM:ss",
    include: "time,level,err",
    singleLine: true,
    messageFormat: ({ msg }) => String(msg),
  });
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: pino.stdSerializers.err, req: addressOf },
  };
  return pino(options, {
    write(json) {
      const line: Line = JSON.parse(json);
      const msg = describe(line, stream);
      if (msg !== undefined) stream.write(format({ ...line, msg }));
    },
  });
}

/** A part of a path that may be a newsletter token, which has 43 of these characters. */
const token = /[\w-]{30,}/g;

/** Returns the URL of a request without tokens, and without control characters, which the terminal would obey. */
function addressOf(request: LoggedRequest): RequestLine["req"] {
  const { headers, hostname = headers.host ?? "", url = "", originalUrl = url } = request;
  const printable = (text: string) => text.replace(/[^!-~]/g, "");
  return { host: printable(hostname), path: printable(originalUrl.replace(/\?.*/, "")).replace(token, "…") };
}

/** Describes an event with its fields; undefined if nobody needs to read it. */
function describe(line: Line, stream: WriteStream): string | undefined {
  if (isRequest(line)) return describeRequest(line, stream);
  // The addresses, which are printed after it, say the same.
  if (line.msg === "listening") return undefined;
  const { level, time, msg, err, requestId, traceId, ...fields } = line;
  const shown = isConfiguration(line) ? changesOf(line) : fields;
  if (Object.keys(shown).length === 0) return isConfiguration(line) ? undefined : msg;
  return `${msg} ${inspect(shown, { breakLength: Infinity, compact: true, maxArrayLength: 2, colors: stream.hasColors() })}`;
}

function isRequest(line: Line): line is RequestLine {
  return line.msg === "request";
}

function isConfiguration(line: Line): line is ConfigurationLine {
  return line.msg === "configuration";
}

/** Returns the variables that are set. */
function changesOf({ settings, set, sites }: ConfigurationLine): Record<string, unknown> {
  return Object.fromEntries(set.map((name) => [name, settings[name] ?? sites[name.replace("SITE_ORIGIN_", "")]]));
}

function describeRequest(line: RequestLine, stream: WriteStream): string | undefined {
  const { req, method, route, status, durationMs, site = req.host, cache, fragmentState, reason } = line;
  // A page has dozens of files, of which only missing ones matter.
  if (route.endsWith("/*") && status < 400) return undefined;
  const color = status < 300 ? "green" : status < 400 ? "cyan" : status < 500 ? "yellow" : "red";
  const state = fragmentState === "fresh" ? undefined : fragmentState;
  const details = [`${Math.round(durationMs)} ms`, site, cache, state]
    .filter((detail) => detail !== undefined)
    .join(" ");
  const answer = `${styleText(color, String(status), { stream })} ${styleText("dim", details, { stream })}`;
  return [`${method} ${req.path} ${answer}`, ...(reason === undefined ? [] : [reason])].join(": ");
}
