import { RequestError } from "../errors.ts";
import { createValidator } from "../validate.ts";

/**
 * Creates the reader of a call's body.
 * @param schema - file name without `.schema.json`
 * @returns a function that throws RequestError naming every field that is wrong
 */
export function createBodyReader<T>(schema: string): (body: unknown) => T {
  const validate = createValidator<T>(schema);
  return (body) => {
    const result = validate(body);
    if (result.valid) return result.data;
    const fields = result.faults.map(describe);
    throw new RequestError("badRequest", fields.map(({ field, message }) => `${field} ${message}`.trim()).join(", "), {
      fields,
    });
  };
}

/** A fault within a list is told of the list. */
function describe(fault: string): { field: string; message: string } {
  const [, unknown] = /^\/(.*) is not known$/s.exec(fault) ?? [];
  if (unknown !== undefined) return { field: unknown, message: "is not known" };
  const [, field = "", message = fault] = /^\/?([^/ ]*)[^ ]* (.*)$/s.exec(fault) ?? [];
  return { field, message };
}
