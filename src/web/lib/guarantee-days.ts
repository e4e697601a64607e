import { pageSetting } from '#contract/base/page-setting.ts';
import { DEFAULT_GUARANTEE } from '#contract/money/guarantee.ts';

/** For how many days after the hold this installation hears claims, as the server says in the page's head. */
export function guaranteeDaysNow(): number {
  const content = pageSetting('guarantee-days');
  return content === undefined ? DEFAULT_GUARANTEE.days : Number(content);
}
