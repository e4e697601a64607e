/** The background of a ticket's stub: white text on each has AA contrast, in both themes. */
export const STUB_COLORS = [
  '#8c2f39',
  '#9c3f1d',
  '#7a5200',
  '#55611b',
  '#1f6a46',
  '#136a6a',
  '#1f5f8b',
  '#35488f',
  '#5a3e93',
  '#84316f',
  '#9a2f5d',
  '#57483b',
] as const;

/** A merchant's colour: always the same for the same name, regardless of case. */
export function stubColor(merchant: string): string {
  // FNV-1a: similar names get different colours.
  let hash = 0x811c9dc5;
  for (const character of merchant.toLowerCase()) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return STUB_COLORS[hash % STUB_COLORS.length] ?? STUB_COLORS[0];
}
