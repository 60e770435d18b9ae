let networks = 0;

/** A network address in a network that nobody else is in. */
export function newAddress(): string {
  networks++;
  return `10.${networks >> 16}.${(networks >> 8) & 255}.${networks & 255}`;
}
