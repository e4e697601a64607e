import type { QueryClient } from '@tanstack/react-query';
import { FIRST_ANSWERS_ID, type FirstAnswer } from '#contract/base/first-answers.ts';
import { giveAnswers } from './query-client.ts';

/**
 * When the answers came, in milliseconds since 1970. Null if the browser took the page out of its cache, as for Back or a
 * restored tab: its answers are old, and may be another person's.
 */
function arrival(): number | null {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (!navigation) return Date.now();
  return navigation.transferSize === 0 ? null : performance.timeOrigin + navigation.responseStart;
}

/** Puts the answers that came with the page into the cache, as if they had just been fetched. */
export function takeFirstAnswers(client: QueryClient): void {
  const element = document.getElementById(FIRST_ANSWERS_ID);
  element?.remove();
  const updatedAt = arrival();
  if (!element || updatedAt === null) return;
  const answers = JSON.parse(element.textContent ?? '[]') as FirstAnswer[];
  giveAnswers(client, answers, updatedAt);
}
