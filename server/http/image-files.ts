import type { ImageFile } from "../brand/load-images.ts";

/** The paths of images that aren't files of the build. */
export const imagePaths = {
  /** Logos of payment methods, carriers and seals. */
  logos: "/service/footer-images/logos",
  /** The default pictures of the newsletter sign-up. */
  pictures: "/service/newsletterfrontend/newslettersubscriptionform",
};

export type ImageKind = keyof typeof imagePaths;

export const imageKinds = ["logos", "pictures"] as const satisfies readonly ImageKind[];

/** Returns the path of an image with a hash of its content, so that no cache shows another image instead. */
export function imageUrl(kind: ImageKind, { file, hash }: ImageFile): string {
  return `${imagePaths[kind]}/${file}?v=${hash}`;
}
