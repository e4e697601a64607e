/** What nobody sees: zero width, direction, soft hyphens, fillers, variation selectors, and the blank of Braille. */
const INVISIBLE = '[\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u2800]';

/** What joins, colours and boxes the parts of an emoji is seen with it. */
const INSIDE_EMOJI = [
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=(?![0-9#*])\\p{Emoji})\\ufe0f',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
].join('|');

const ALL = new RegExp(INVISIBLE, 'gu');
const OUTSIDE_EMOJI = new RegExp(`(?!${INSIDE_EMOJI})${INVISIBLE}`, 'gu');

/** A text without what nobody sees. Control characters stay. */
export function withoutInvisible(text: string): string {
  return text.replace(OUTSIDE_EMOJI, '');
}

/** A code without characters that nobody sees and without outer white space; control characters of a scan stay. */
export function visibleCode(text: string): string {
  return text
    .replace(ALL, '')
    .replace(/[\p{Zs}\u2028\u2029]/gu, ' ')
    .trim();
}
