import { extname } from "node:path";
import type { ImageKind } from "../../http/image-files.ts";

/** Names with a hash of the content. Only files with such names are the same in every build. */
const hashedName = /^(?:\w+\/)?[\w.-]+-[A-Z0-9]{8}\.[a-z0-9]+(?:\.LEGAL\.txt)?$/;
/** Maximum length of a name. The names of a build have at most 40 characters. */
const maxNameLength = 100;

/** Whether the archive may contain a file, by its name without the extension of an encoding. */
export function isArchivable(name: string): boolean {
  return name.length <= maxNameLength && hashedName.test(name);
}

/** Returns the name of an image in the archive. */
export function imageName(kind: ImageKind, file: string, hash: string): string {
  const ending = extname(file);
  return `${kind}/${file.slice(0, file.length - ending.length)}-${hash}${ending}`;
}
