/** Below which path browsers find the default pictures of the sign-up. */
export const picturesPath = "/service/newsletterfrontend/newslettersubscriptionform";

/** The default picture for each kind of window: a file of client/newsletter/pictures/, which its size names. */
export const pictures = { desktop: `${picturesPath}/400x300.svg`, tablet: `${picturesPath}/273x273.svg` };
