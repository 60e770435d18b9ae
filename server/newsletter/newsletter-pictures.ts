import type { Pictures } from "../images/load-images.ts";

/** Below which path browsers find the default pictures of the sign-up. */
export const picturesPath = "/service/newsletterfrontend/newslettersubscriptionform";

/** Gives the default picture for each kind of window, which its size names. */
export function addressPictures({ fileOf }: Pictures) {
  return { desktop: `${picturesPath}/${fileOf("400x300")}`, tablet: `${picturesPath}/${fileOf("273x273")}` };
}
