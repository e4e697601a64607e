import { DEFAULT_GUARANTEE } from '#contract/guarantee.ts';

/** For how many days after the hold this installation hears claims, as the server says in the page's head. */
export function guaranteeDaysNow(): number {
  const content = document.querySelector<HTMLMetaElement>('meta[name="guarantee-days"]')?.content;
  return content === undefined ? DEFAULT_GUARANTEE.days : Number(content);
}
