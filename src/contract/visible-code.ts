/** Zero width, direction, soft hyphens, fillers, variation selectors, and the blank of Braille. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu;

/** A code without characters that nobody sees and without outer white space; control characters of a scan stay. */
export function visibleCode(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(/[\p{Zs}\u2028\u2029]/gu, ' ')
    .trim();
}
