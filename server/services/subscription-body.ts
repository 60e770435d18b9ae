import type { NewsletterChange, NewsletterSubscription } from "../../schemas/types.ts";
import { createBodyReader } from "../http/body-reader.ts";

/** Reads a sign-up. Throws RequestError naming every field that is wrong. */
export const readSubscription = createBodyReader<NewsletterSubscription>("newsletter-subscription");

/** Reads the changes of a subscriber. Throws RequestError naming every field that is wrong. */
export const readChange = createBodyReader<NewsletterChange>("newsletter-change");
