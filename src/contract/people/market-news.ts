import { inLanguageOf } from './setting-texts.ts';
import type { MarketNews, SettingValues } from './settings.ts';

/** What every page says now above everything else. */
export function newsNow(
  { announcement, maintenance }: Pick<SettingValues, 'announcement' | 'maintenance'>,
  now: Date,
): MarketNews {
  const isOver = announcement?.until != null && new Date(announcement.until) <= now;
  return {
    announcement: announcement && !isOver ? { ...announcement, text: inLanguageOf(announcement.text) } : null,
    maintenance: maintenance && { ...maintenance, text: inLanguageOf(maintenance.text) },
  };
}
