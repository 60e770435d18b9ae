import { extname } from "node:path";
import type { ImageKind } from "../../http/image-files.ts";

/** Names with the hash of their content. Only these are the same in every build. */
const hashedName = /^(?:\w+\/)?[\w.-]+-[A-Z0-9]{8}\.[a-z0-9]+(?:\.LEGAL\.txt)?$/;
/** Maximum length of a name. Those of the build have 40 characters at most. */
const maxNameLength = 100;

/** Whether the archive may have a file, by its name without the ending of an encoding. */
export function isArchivable(name: string): boolean {
  return name.length <= maxNameLength && hashedName.test(name);
}

/** Returns the name of an image in the archive. */
export function imageName(kind: ImageKind, file: string, hash: string): string {
  const ending = extname(file);
  return `${kind}/${file.slice(0, file.length - ending.length)}-${hash}${ending}`;
}
