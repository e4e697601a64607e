/** The pages of the settings with their sections, in order. */
export const SETTINGS_PAGES = {
  // The three sections of spec/3 first.
  me: ['profile', 'password', 'danger-zone', 'language', 'away', 'payment-methods', 'your-data'],
  safety: ['second-factor', 'passkeys', 'identities', 'devices', 'sign-ins', 'blocked', 'offline-codes'],
  messages: ['notifications', 'push'],
  programs: ['keys', 'webhooks', 'calendar'],
} as const;

export type SettingsPage = keyof typeof SETTINGS_PAGES;
/** A section has an address of its own, such as `/profile-settings#away`, which opens its page. */
export type SettingsSection = (typeof SETTINGS_PAGES)[SettingsPage][number];

export const SETTINGS_PAGE_NAMES = Object.keys(SETTINGS_PAGES) as readonly SettingsPage[];

/** The page that has a section; null for any other text. */
export function settingsPageOf(section: string): SettingsPage | null {
  return (
    SETTINGS_PAGE_NAMES.find((page) => SETTINGS_PAGES[page].some((name: string) => name === section)) ?? null
  );
}
