import { type FieldFault, RequestError } from "../errors.ts";
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
    const fields = result.faults.map(fieldFault);
    throw new RequestError("badRequest", fields.map(({ field, message }) => `${field} ${message}`.trim()).join(", "), {
      fields,
    });
  };
}

/** Reads field and message from a fault `/path message`. A fault within a list is one of the list's field. */
function fieldFault(fault: string): FieldFault {
  const [, unknown] = /^\/(.*) is not known$/s.exec(fault) ?? [];
  if (unknown !== undefined) return { field: unknown, message: "is not known" };
  const [, field = "", message = fault] = /^\/?([^/ ]*)[^ ]* (.*)$/s.exec(fault) ?? [];
  return { field, message };
}
