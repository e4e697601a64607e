import { savesData } from './saves-data.ts';

/** Does it once the page is loaded and idle, so that nothing that it needs has to wait; not where little is to be loaded. */
export function whenIdle(act: () => Promise<void>): void {
  if (savesData()) return;
  const idle = () => (window.requestIdleCallback ?? window.setTimeout)(() => act().catch(console.error));
  if (document.readyState === 'complete') idle();
  else window.addEventListener('load', idle, { once: true });
}
