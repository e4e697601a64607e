/** The lengths of the pieces that texts are cut into, as `want_piece` of the database has them. */
const SIZES = [1, 2, 3, 4, 6, 8, 12] as const;

/** Dyadic ranges of values: sizes of 2 to the power of 0 to this. */
const LARGEST_RANGE = 31;

/** What wants can ask of a coupon; texts as the database folds them. */
interface WantedFacts {
  readonly searchText: string;
  readonly merchantText: string;
  /** The beginnings of words that find it without being in its text: `want_pieces` of the database. */
  readonly synonymPieces: readonly string[];
  /** In cents; -1 for a percentage. */
  readonly rank: number;
}

/**
 * The keys under which a want of this coupon can be filed. Each want is filed under one (`want_key` of the database):
 * the beginning of the longest word of its text or merchant, or the smallest range of values that holds its own. So a coupon looks at the
 * few wants that have most in common with it, however many there are.
 */
export function keysOf({ searchText, merchantText, synonymPieces, rank }: WantedFacts): string[] {
  const keys = new Set(['v', ...piecesOf('s', searchText), ...piecesOf('m', merchantText)]);
  for (const piece of synonymPieces) keys.add(`s${piece}`);
  if (rank >= 0) {
    for (let size = 0; size <= LARGEST_RANGE; size += 1) {
      keys.add(`v${size}:${size === LARGEST_RANGE ? 0 : rank >> size}`);
    }
  }
  return [...keys];
}

/** All parts of a text in the known lengths. Words have no spaces, so that none begins with one. */
function* piecesOf(kind: 's' | 'm', text: string): Generator<string> {
  const letters = [...text];
  for (let start = 0; start < letters.length; start += 1) {
    if (letters[start]?.trim() === '') continue;
    for (const size of SIZES) {
      if (start + size > letters.length) break;
      yield kind + letters.slice(start, start + size).join('');
    }
  }
}
