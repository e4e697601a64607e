/** The sections of the settings, in order. Each has an address of its own: `/profile-settings#away`. */
export const SETTINGS_SECTIONS = [
  // The three of spec/3 first.
  'profile',
  'password',
  'danger-zone',
  'language',
  'second-factor',
  'passkeys',
  'identities',
  'devices',
  'sign-ins',
  'offline-codes',
  'notifications',
  'push',
  'calendar',
  'away',
  'blocked',
  'payment-methods',
  'keys',
  'webhooks',
  'your-data',
] as const;

export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];
