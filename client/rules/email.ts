/** The maximum length of an e-mail address, in characters. */
export const maxEmailLength = 256;

/** An address (RFC 5322, dot-atom) at a domain name with a dot (RFC 1123). */
export const emailPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/i;
/** Characters of domain names in any script. */
const domainPattern = /^[\p{L}\p{Mn}\p{Mc}\p{Nd}.-]+$/u;

/**
 * Normalizes an address: composed (NFC), trimmed, the domain in lower case and in its ASCII form (`müller.example`
 * becomes `xn--mller-kva.example`). A text that isn't an address is only composed and trimmed.
 */
export function normalizeEmail(text: string): string {
  const email = text.trim().normalize("NFC");
  const at = email.lastIndexOf("@");
  const domain = email.length > maxEmailLength ? undefined : asciiDomain(email.slice(at + 1));
  return domain === undefined ? email : email.slice(0, at + 1) + domain;
}

/**
 * Whether a text is an email address with a valid domain name.
 * @param email - normalized by `normalizeEmail`
 */
export function isEmail(email: string): boolean {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  return emailPattern.test(email) && asciiDomain(domain) === domain;
}

/** The ASCII form of a domain; undefined if it is invalid. */
function asciiDomain(domain: string): string | undefined {
  if (!domainPattern.test(domain)) return undefined;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return undefined;
  }
}
