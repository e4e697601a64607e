import { t } from '@lingui/core/macro';
import { escapeHtml } from '#contract/base/escape-html.ts';
import { utcDayAndTime } from '#contract/base/locale.ts';
import { marketName } from '#contract/base/market.ts';
import type { MarketNews } from '#contract/people/settings.ts';

/** Under this name a device keeps the id of the announcement that was dismissed last. */
const DISMISSED = 'dismissed-announcement';

const STYLE = `.news-strip{display:flex;align-items:center;justify-content:center;gap:8px 16px;padding:8px 16px;font-size:.875rem;font-weight:600;line-height:1.45;background:var(--info-ground);color:var(--info-ink)}
.news-strip[data-kind=problem]{background:var(--warning-ground);color:var(--warning-ink)}
.news-strip[hidden]{display:none}
.news-strip p{margin:0;max-width:90ch;overflow-wrap:anywhere}
.news-strip button{flex:none;min-width:44px;min-height:44px;margin:-8px -8px -8px 0;border:0;border-radius:8px;background:none;color:inherit;font:inherit;text-decoration:underline;cursor:pointer}
@media print{.news-strip{display:none}}`;

/** Before the first paint: what was dismissed here is not shown, and times are those of the reader. */
const SCRIPT = `for (const strip of document.querySelectorAll('.news-strip')) {
  const { id } = strip.dataset;
  const keep = (act) => { try { return act(localStorage); } catch { return null; } };
  if (id && keep((kept) => kept.getItem('${DISMISSED}')) === id) strip.hidden = true;
  strip.querySelector('button')?.addEventListener('click', () => {
    strip.hidden = true;
    keep((kept) => kept.setItem('${DISMISSED}', id));
    document.getElementById('main')?.focus({ preventScroll: true });
  });
  for (const time of strip.querySelectorAll('time'))
    time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
}`;

/**
 * What stands above every page, as HTML: an announcement, which people can dismiss, and that the market can only be read.
 * It comes with the page, so that nothing moves and our scripts need not know it; '' where there is nothing to say.
 * @param nonce of this response
 */
export function newsStrip({ announcement, maintenance }: MarketNews, nonce: string): string {
  const strips: string[] = [];
  if (maintenance) {
    const text = escapeHtml(maintenance.text);
    const end = timeTag(maintenance.until);
    const about = escapeHtml(
      t`${{ market: marketName() }} can only be read for now. What you have begun is kept, and nothing is lost.`,
    );
    const until = end === '' ? '' : ` ${escapeHtml(t`We expect to be done by this time:`)} ${end}`;
    strips.push(
      `<div class="news-strip" data-kind="problem" role="status"><p>${text} ${about}${until}</p></div>`,
    );
  }
  if (announcement) {
    const { id, kind, text } = announcement;
    const dismiss = `<button type="button">${escapeHtml(t`Dismiss`)}</button>`;
    strips.push(
      `<div class="news-strip" data-kind="${kind}" data-id="${id}" role="status"><p>${escapeHtml(text)}</p>${dismiss}</div>`,
    );
  }
  if (strips.length === 0) return '';
  return `<style nonce="${nonce}">${STYLE}</style>${strips.join('')}<script nonce="${nonce}">${SCRIPT}</script>`;
}

function timeTag(until: string | null): string {
  if (until === null) return '';
  return `<time datetime="${until}">${escapeHtml(utcDayAndTime(until).join(', '))} UTC</time>`;
}
