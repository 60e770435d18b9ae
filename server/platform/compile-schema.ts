import { Ajv2020 as Ajv, type CodeOptions, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import { formats } from "./formats.ts";
import { loadSchema } from "./schemas.ts";

/** How a check changes the checked value. */
const options = {
  /** Leaves the value unchanged. */
  plain: {},
  /** For values that arrive as strings: converts them to the schema's types, adds defaults, removes unknown keys. */
  strings: { coerceTypes: true, useDefaults: true, removeAdditional: true },
  /** For responses of upstreams: removes unknown keys. */
  answers: { removeAdditional: true },
} satisfies Record<string, Options>;

/** The schemas whose checks change the value. */
const changing: { kind: keyof typeof options; names: RegExp }[] = [
  { kind: "strings", names: /^env$|-parameters$/ },
  { kind: "answers", names: /^(?:newsletter-preferences|promotion)$|^(?:ab-tests|preview-check|promotion)-answer$/ },
];

/**
 * Creates a compiler of schemas, which caches the compiled ones.
 * @param code - by default, the code isn't optimised, because that would take longer than it saves
 */
export function createCompiler(code: CodeOptions = { optimize: false }) {
  const compilers = new Map<keyof typeof options, Ajv>();
  return { compile, compileNamed, compilerOf };

  /** Compiles a schema, and those that it refers to, to a function that leaves a value unchanged. */
  function compile<T>(schema: { $id?: string; [keyword: string]: unknown }, ajv = compilerFor("plain")) {
    addReferences(schema, ajv);
    return (schema.$id && ajv.getSchema<T>(schema.$id)) || ajv.compile<T>(schema);
  }

  /** Adds the schemas to which a schema refers, directly or by way of others. */
  function addReferences(schema: object, ajv: Ajv): void {
    for (const [, name = ""] of JSON.stringify(schema).matchAll(/"\$ref":"([^"#]+)#/g)) {
      if (ajv.refs[name]) continue;
      const referenced = loadSchema(name);
      ajv.addSchema(referenced);
      addReferences(referenced, ajv);
    }
  }

  /** Compiles a schema of the schemas folder. */
  function compileNamed<T>(name: string): ValidateFunction<T> {
    return compile<T>(loadSchema(name), compilerOf(name));
  }

  /** Returns the compiler of a schema of the schemas folder. */
  function compilerOf(name: string): Ajv {
    return compilerFor(changing.find(({ names }) => names.test(name))?.kind ?? "plain");
  }

  function compilerFor(kind: keyof typeof options): Ajv {
    const ajv = compilers.get(kind) ?? createAjv({ ...options[kind], code });
    compilers.set(kind, ajv);
    return ajv;
  }
}

function createAjv(given: Options): Ajv {
  // Schemas are validated before a release, so not here.
  const checked: Options = { validateSchema: false, strict: true, strictRequired: false };
  const ajv = new Ajv({ ...given, ...checked, allErrors: true, verbose: true });
  // `components` holds the schemas of a document, to which its other schemas refer.
  for (const keyword of ["tsType", "components"]) ajv.addKeyword(keyword);
  for (const [name, { validate }] of Object.entries(formats)) ajv.addFormat(name, { validate });
  return ajv;
}
