const PROFILE_TABS = ['overview', 'activity', 'coupons'] as const;

/** Which tab the address names; what makes no sense is the first one. */
export function readTab(params: URLSearchParams): (typeof PROFILE_TABS)[number] {
  return PROFILE_TABS.find((tab) => tab === params.get('tab')) ?? 'overview';
}

/** The address of another tab, whose list begins at its first page. */
export function changeTab(params: URLSearchParams, tab: string | null): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete('page');
  if (tab === null || tab === 'overview') next.delete('tab');
  else next.set('tab', tab);
  return next;
}
