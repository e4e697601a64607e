/** A random UUID that marks what is sent, so that a repeat is known. `crypto.randomUUID` exists on encrypted pages only. */
export function newClientKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  // The 4 and the 8 mark a random UUID (version and variant).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
