import { draw, drawBetween } from './draw.ts';

/** What somebody says after a deal that went well, and after one that did not go so well. */
const KIND_WORDS = [
  'Answered within the hour. A pleasure.',
  'Exactly as described, and a joke on top.',
  'The code worked at the first try.',
  'We have swapped before and will again.',
  'Polite, patient, punctual. I was two of these.',
  'Explained the small print before I asked.',
  'Fast and friendly. My cat approves.',
  'Best swap I have made so far.',
  'Told me the branch where it works best.',
  'Would trade my last biscuit with this person.',
  'No fuss at all. Thank you!',
  'Even wished my mother a happy birthday.',
  'Quick to accept, quick to complete.',
  'A fair swap, and a nice chat about trains.',
  'Reliable. I wish my neighbours were.',
  'Paid the same evening.',
  'I was new here and got a lot of help.',
  'Ten out of ten, and I am a teacher.',
  'Good sense of humour, good coupon.',
  'Clear words, quick reply, working code.',
  'Waited for me when I was ill. Kind.',
  'Everything as it should be.',
] as const;
const MIXED_WORDS = [
  'Fine in the end, with a few reminders.',
  'The coupon was good, the answers were short.',
  'Took nine days to say yes.',
  'It works, but not on Mondays. Nobody told me.',
  'Polite, though never awake when I am.',
  'We misunderstood each other twice. It was half my fault.',
  'A decent swap, nothing to write home about.',
  'Changed their mind, then changed it back.',
] as const;

export interface DemoRating {
  readonly rating: number;
  readonly comment: string | null;
  readonly daysAgo: number;
}

/** Each comment is somebody's own words: whoever comes first has said it. */
export type Sayings = Set<string>;

/** Two thirds of the ratings come with words, as long as there are any left. */
function commentOn(name: string, rating: number, said: Sayings): string | null {
  if (draw(`words of ${name}`) > 0.67) return null;
  const words: readonly string[] = rating >= 8 ? KIND_WORDS : MIXED_WORDS;
  const first = Math.floor(draw(`choice of ${name}`) * words.length);
  const turned = [...words.slice(first), ...words.slice(0, first)];
  const comment = turned.find((word) => !said.has(word)) ?? null;
  if (comment !== null) said.add(comment);
  return comment;
}

/** How likely somebody is to rate at all. */
const DILIGENCE = 0.72;

/**
 * What one side says of the other after a deal that ended `daysAgo`: some time later, or never. The latest are
 * still hidden where the other side has said nothing.
 */
export function ratingBy(name: string, daysAgo: number, said: Sayings): DemoRating[] {
  if (draw(`diligence of ${name}`) > DILIGENCE) return [];
  const mood = draw(`mood of ${name}`);
  const rating = mood < 0.08 ? 5 : mood < 0.2 ? 7 : mood < 0.42 ? 8 : mood < 0.72 ? 9 : 10;
  const later = Math.min(daysAgo * 0.9, drawBetween(`leisure of ${name}`, 0.05, 4));
  return [{ rating, comment: commentOn(name, rating, said), daysAgo: daysAgo - later }];
}
