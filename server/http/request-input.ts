import express, { type RequestHandler } from "express";
import type { Moment } from "../../client/rules/time.ts";
import { type FieldFault, RequestError } from "../platform/errors.ts";
import { parseTime } from "../platform/time.ts";
import { createValidator } from "../platform/validate.ts";

const json = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Parses the body of a call, which must be uncompressed JSON in UTF-8. For any other body, passes a RequestError to the
 * next handler.
 * @param limit - maximum length in bytes
 */
export function jsonBody(limit: number): RequestHandler {
  const parse = express.json({ limit, inflate: false, type: () => true });
  return (request, response, next) => {
    if (!json.test(request.get("Content-Type") ?? "")) {
      throw new RequestError("badRequest", "the body must be JSON in UTF-8: Content-Type: application/json");
    }
    parse(request, response, (error: unknown) => {
      next(error && new RequestError("badRequest", `the body must be JSON of at most ${limit} bytes, not compressed`));
    });
  };
}

/**
 * Parses the body of a form. For a larger or compressed one, passes an error to the next handler. A text that is too
 * long for its field usually fits, so that the page can name the field: no form has more than three free fields, and
 * 256 characters take at most 2,304 bytes when they are percent-encoded.
 */
export function formBody(): RequestHandler {
  return express.urlencoded({ extended: false, limit: "8kb", parameterLimit: 30, inflate: false });
}

/**
 * Creates the validator of a parsed body, which throws a RequestError naming every wrong field.
 * @param schema - file name without `.schema.json`
 */
export function createBodyReader<T>(schema: string): (body: unknown) => T {
  const validate = createValidator<T>(schema);
  return (body) => {
    const result = validate(body);
    if (result.valid) return result.data;
    throw fieldError(result.faults.map(parseFault));
  };
}

/** Creates the error that names wrong fields of a body. */
export function fieldError(fields: readonly FieldFault[]): RequestError {
  const message = fields.map(({ field, message }) => `${field} ${message}`.trim()).join(", ");
  return new RequestError("badRequest", message, { fields });
}

/** Splits a fault `/path message` into field and message. A fault inside a list counts for the list's field. */
function parseFault(fault: string): FieldFault {
  const [, unknown] = /^\/(.*) is not known$/s.exec(fault) ?? [];
  if (unknown !== undefined) return { field: unknown, message: "is not known" };
  const [, field = "", message = fault] = /^\/?([^ ]*?)(?:\/\d+)* (.*)$/s.exec(fault) ?? [];
  return { field, message };
}

/** Parses a time of a query string; undefined unless it is a date and time with Z or an offset. */
export function parseQueryTime(time: unknown): Moment | undefined {
  // An unencoded plus arrives as a space.
  return parseTime(String(time).replace(" ", "+"));
}
