const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

/** One text for all spellings of a merchant's name: without regard to case, to forms of letters and to spacing. */
export function merchantKey(merchant: string): string {
  return merchant.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
