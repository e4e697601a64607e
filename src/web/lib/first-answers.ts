import type { QueryClient } from '@tanstack/react-query';
import { FIRST_ANSWERS_ID, type FirstAnswer } from '#contract/base/first-answers.ts';
import { CODE_MASK } from '#contract/coupons/limits.ts';
import { answerKey, giveAnswers } from './query-client.ts';

/**
 * When the answers came, in milliseconds since 1970. Null if the browser took the page out of its cache, as for Back or a
 * restored tab: its answers are old, and may be another person's.
 */
function arrival(): number | null {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (!navigation) return Date.now();
  return navigation.transferSize === 0 ? null : performance.timeOrigin + navigation.responseStart;
}

/** Whether the page came without the beginnings of the viewer's codes in an answer. */
const isMasked = ([, data]: FirstAnswer) => JSON.stringify(data).includes(CODE_MASK);

/**
 * Puts the answers that came with the page into the cache, as if they had just been fetched. Those with masked codes are
 * shown at once, and asked for again when they are on screen.
 */
export function takeFirstAnswers(client: QueryClient): void {
  const element = document.getElementById(FIRST_ANSWERS_ID);
  element?.remove();
  const updatedAt = arrival();
  if (!element || updatedAt === null) return;
  const answers = JSON.parse(element.textContent ?? '[]') as FirstAnswer[];
  giveAnswers(client, answers, updatedAt);
  for (const [path, , input] of answers.filter(isMasked))
    void client.invalidateQueries({ queryKey: answerKey(path, input), refetchType: 'none' });
}
