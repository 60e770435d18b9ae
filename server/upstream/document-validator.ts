import { createCompiler } from "../platform/compile-schema.ts";
import { type Validate, validateBy } from "../platform/validate.ts";
import type { ServiceDocument } from "./service-documents.ts";

const { compile } = createCompiler();

/** Creates the validator of one of a document's schemas. */
export function createDocumentValidator({ components }: ServiceDocument, schema: object): Validate<unknown> {
  return validateBy(() => compile({ ...schema, components }));
}
