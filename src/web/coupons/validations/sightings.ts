import type { SeenCode } from '#web/coupons/core/code-reader.ts';

/** In how many pictures a code is read before it is taken: a symbol without check digits is misread at times. */
const SIGHTINGS = 2;

/** Takes the codes of one picture after the other. @returns those that are new now: each is so once */
export function countSightings(): (codes: readonly SeenCode[]) => SeenCode[] {
  const seen = new Map<string, number>();
  return (codes) => {
    const once = new Map(codes.map((code) => [code.text, code]));
    return [...once.values()].filter(({ text }) => {
      const times = (seen.get(text) ?? 0) + 1;
      seen.set(text, times);
      return times === SIGHTINGS;
    });
  };
}
