/** “A”, “B” and “C”. */
export function quoted(titles: readonly string[]): string {
  return listed(titles.map((title) => `“${title}”`));
}

/** A, B and C. */
export function listed(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');
}
