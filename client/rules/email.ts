/** How many characters an e-mail address may have. */
export const maxEmailLength = 256;

/** An address (RFC 5322, dot-atom) at a domain name with a dot (RFC 1123). */
export const emailPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/i;
/** The characters of a domain name in any script. */
export const domainPattern = /^[\p{L}\p{Mn}\p{Mc}\p{Nd}.-]+$/u;

/**
 * The one spelling of an address: composed, without spaces around it, the domain in lower case and as the domain name
 * system has it (`müller.example` is `xn--mller-kva.example`). A text that is no address is only composed and trimmed.
 */
export function normalizeEmail(text: string): string {
  const email = text.trim().normalize("NFC");
  const at = email.lastIndexOf("@");
  const domain = email.length > maxEmailLength ? undefined : asciiDomain(email.slice(at + 1));
  return domain === undefined ? email : email.slice(0, at + 1) + domain;
}

/**
 * Tells whether a text is an e-mail address that the domain name system can know.
 * @param email - as `normalizeEmail` gives it
 */
export function isEmail(email: string): boolean {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  return emailPattern.test(email) && asciiDomain(domain) === domain;
}

/** The domain as the domain name system has it; undefined when it can't have it. */
function asciiDomain(domain: string): string | undefined {
  if (!domainPattern.test(domain)) return undefined;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return undefined;
  }
}
