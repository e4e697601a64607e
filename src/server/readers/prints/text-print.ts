import type { TextReading } from './lines.ts';

/** More lines than a coupon has. */
const MOST_LINES = 300;
/** More words than a line of print has. */
const MOST_WORDS = 60;

/** A longer word is none, in characters. */
const LONGEST_WORD = 200;

/** The size of letters, as of print. */
const [WIDTH, HEIGHT, LINE] = [8, 16, 20];

/** Typed text as print that is read without a mistake: a line is as high as the others, and blank lines are a gap. */
export function printOfText(text: string): TextReading {
  return text
    .split(/\r\n?|\n/)
    .slice(0, MOST_LINES)
    .flatMap((line, index) => {
      const words = wordsOf(line);
      if (words[0] === '') return [];
      const right = words.join(' ').length * WIDTH;
      const read = words.map((word) => ({ text: word, confidence: 100 }));
      return [{ words: read, left: 0, right, top: index * LINE, height: HEIGHT }];
    });
}

/** The words of a line; a sign alone, as French writes its colons, belongs to the word before it. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (const word of line.trim().split(/\s+/).slice(0, MOST_WORDS)) {
    const before = /[\p{L}\p{N}\p{Sc}%–-]/u.test(word) ? undefined : words.pop();
    words.push(`${before ?? ''}${word.slice(0, LONGEST_WORD)}`);
  }
  return words;
}
