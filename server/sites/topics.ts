import type { NewsletterSettings } from "../../schemas/types.ts";
import { placeholdersIn } from "../platform/placeholders.ts";
import type { Texts } from "../platform/texts.ts";

type Topics = Pick<NewsletterSettings, "topics">;

/** The namespaces whose texts may name the newsletter's topics. */
const namespaces = ["newsletter", "mail"];

/** Returns the topics of a country's file or of the brand, if there are any. */
export function readTopics(topics: unknown): Topics {
  return typeof topics === "string" ? { topics } : {};
}

/**
 * Whether the sentence `legal.topics` belongs to a consent.
 * @param consent - the text of the consent; it may name the topics itself
 */
export function needsTopicsSentence({ topics }: Topics, consent = ""): boolean {
  return topics !== undefined && !placeholdersIn(consent).includes("topics");
}

/**
 * Finds texts that name the topics of a country that has none.
 * @returns each fault as `<file> /newsletter/topics <message>`
 */
export function findTopicFaults(
  { file, locale, newsletter }: { file: string; locale: string; newsletter: Topics },
  texts: Texts,
): string[] {
  if (newsletter.topics !== undefined) return [];
  return namespaces.flatMap((namespace) =>
    Object.entries(texts.bundle(locale, namespace))
      .filter(([key, text]) => key !== "legal.topics" && placeholdersIn(text).includes("topics"))
      .map(([key]) => `${file} /newsletter/topics is missing, and the text "${key}" in ${namespace}.json needs it`),
  );
}
