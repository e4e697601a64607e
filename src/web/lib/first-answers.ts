import type { QueryClient } from '@tanstack/react-query';
import { FIRST_ANSWERS_ID, type FirstAnswer } from '#contract/first-answers.ts';
import { answerKey } from './query-client.ts';

/**
 * Whether the browser took the page out of its cache, as for Back or a restored tab: its answers are old, and may be
 * another person's.
 */
function isFromCache(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.transferSize === 0;
}

/** Puts the answers that came with the page into the cache, as if they had just been fetched. */
export function takeFirstAnswers(client: QueryClient): void {
  const element = document.getElementById(FIRST_ANSWERS_ID);
  element?.remove();
  if (!element || isFromCache()) return;
  const answers = JSON.parse(element.textContent ?? '[]') as FirstAnswer[];
  for (const [path, data, input] of answers) {
    client.setQueryData(answerKey(path, input), data, { updatedAt: performance.timeOrigin });
  }
}
