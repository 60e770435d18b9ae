import type { Country } from "../../schemas/types.ts";
import type { Drawings } from "../brand/load-images.ts";
import { loadSchema } from "../platform/schemas.ts";

/** A field of a country that contains the name of something, such as the key of a text. */
export interface NamedField {
  /** The path of the field, such as `/switcher/flag`. */
  path: string;
  name: string;
}

const schema = loadSchema("country");
/** The fields of a country that contain the key of a text. */
export const textFields = findFields("textKey", schema);
const pageTextFields = findFields("pageTextKey", schema);
/** The fields that contain the name of an image, by the kind of image. */
const imageFields = {
  flags: findFields("flag", schema),
  icons: findFields("icon", schema),
  logos: findFields("logoSource", schema),
};

/** Lists the keys of the footer texts that a country names. */
export function namedTexts({ footer }: { footer?: unknown }): string[] {
  return findNames(textFields, footer).map(({ name }) => name);
}

/** Finds the texts of pages that the header of a country names. */
export function namedPageTexts({ navigation, account }: { navigation?: unknown; account?: unknown }): NamedField[] {
  return findNames(pageTextFields, { navigation, account });
}

/** Finds the fields that refer to a definition of the schema. */
function findFields(definition: string, part: object): string[] {
  return Object.entries(part).flatMap(([name, child]) => {
    if (typeof child !== "object" || child === null) return [];
    return child.$ref === `#/$defs/${definition}` ? [name] : findFields(definition, child);
  });
}

/**
 * Finds the values of certain fields, at any depth of the data.
 * @param found - the list to be returned; creating one for each of a country's 2,000 parts would take most of the time
 */
export function findNames(
  fields: readonly string[],
  value: unknown,
  path = "",
  found: NamedField[] = [],
): NamedField[] {
  if (typeof value !== "object" || value === null) return found;
  for (const [field, child] of Object.entries(value)) {
    if (typeof child !== "string") findNames(fields, child, `${path}/${field}`, found);
    else if (fields.includes(field)) found.push({ path: `${path}/${field}`, name: child });
  }
  return found;
}

/** Finds the fields that name a flag, icon or logo that doesn't exist. */
export function findUnknownImages(country: Partial<Country>, drawings: Drawings): NamedField[] {
  const kinds = ["flags", "icons", "logos"] as const;
  return kinds.flatMap((kind) => findNames(imageFields[kind], country).filter(({ name }) => !drawings[kind].has(name)));
}
