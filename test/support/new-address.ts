let networks = 0;

/** Returns a network address in a network of its own. */
export function newAddress(): string {
  networks++;
  return `10.${networks >> 16}.${(networks >> 8) & 255}.${networks & 255}`;
}
