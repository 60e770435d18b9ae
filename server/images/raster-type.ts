/** How the files of each type begin, after as many bytes as the first figure says. */
const beginnings = {
  png: [0, "\x89PNG\r\n\x1a\n"],
  jpg: [0, "\xff\xd8\xff"],
  webp: [8, "WEBP"],
  avif: [4, "ftypavif"],
} as const;

/** Tells whether a file is of the type that its ending says: png, jpg, webp or avif. */
export function isRaster(content: Buffer, ending: string): boolean {
  const [, beginning] = Object.entries(beginnings).find(([type]) => type === ending) ?? [];
  if (!beginning) return false;
  const [offset, bytes] = beginning;
  return content.subarray(offset, offset + bytes.length).toString("latin1") === bytes;
}
