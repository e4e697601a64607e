import { TEXTS } from '#contract/base/texts.ts';
import { TEST_PASSWORD } from '#tests/support/builders.ts';
import { NEW_PASSWORD } from '#tests/support/mailed-links.ts';
import { plainPicture } from '#tests/support/pictures.ts';
import { all, check, choose, dialog, fill, go, press, pressFirst } from './acts.ts';
import type { Journey, JourneyMarket } from './market.ts';

const NO_TOKEN = 'a'.repeat(32);
const IN_FIVE_DAYS = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
const newPassword = (repeated: string) =>
  all(fill(/^New password/, NEW_PASSWORD), fill(repeated, NEW_PASSWORD));

/** People and their accounts. */
export function peopleJourneys({ people: { ana, ben } }: JourneyMarket): Journey[] {
  return [
    {
      name: 'reports and blocks',
      who: ana,
      steps: [
        {
          ready: all(
            go(`/users/${ben.id}`),
            press(/^Report/),
            fill('What happened?', 'They never sent what was agreed.'),
          ),
          act: press('Send report'),
          done: 'Report sent',
        },
        {
          ready: all(press(/^Block/), dialog(/^Block/)),
          act: press('Block'),
          done: 'ben is blocked',
        },
      ],
    },
    {
      name: 'changes settings',
      who: ana,
      steps: [
        {
          ready: all(go('/profile-settings#profile'), fill('About you', 'I like soup.')),
          act: press('Save profile'),
          done: 'Profile saved',
        },
        {
          ready: all(press('Get a copy'), dialog(/copy/)),
          act: press('Get a copy'),
          done: 'We are making your copy',
        },
        {
          ready: go('/profile-settings#notifications'),
          act: (page) => page.getByLabel('Matches: By email').click({ force: true }),
          done: 'Saved',
        },
        {
          ready: go('/profile-settings#calendar'),
          act: pressFirst('Create address'),
          done: 'Address created',
        },
        {
          ready: all(go('/profile-settings#away'), fill('Back on', IN_FIVE_DAYS)),
          act: press('I am away'),
          done: 'You are away',
        },
        {
          ready: all(
            go('/profile-settings#password'),
            fill('Current password', TEST_PASSWORD),
            newPassword('Confirm new password'),
          ),
          act: press('Change password'),
          done: 'Password changed',
        },
        {
          ready: choose(/picture.*file/i, plainPicture),
          act: press('Use this picture'),
          done: (page) => page.getByRole('dialog').waitFor({ state: 'detached' }),
        },
        { ready: go('/seller-onboarding'), act: press('Set up Stripe'), done: /no real money/i },
      ],
    },
    {
      name: 'signs out',
      who: ben,
      steps: [{ ready: go('/'), act: all(press('Me'), press('Sign out')), done: 'Sign in' }],
    },
    {
      name: 'comes in',
      who: null,
      steps: [
        {
          ready: all(go('/forgot-password'), fill('Email address', 'ana@example.org')),
          act: press('Send me a link'),
          done: /If /,
        },
        {
          ready: all(go(`/reset-password?token=${NO_TOKEN}`), newPassword('Confirm new password')),
          act: press('Set the new password'),
          done: TEXTS.settings.linkSpent(),
        },
        {
          ready: all(go('/auth'), fill('Username', 'ben'), (page) =>
            page.getByRole('textbox', { name: 'Password' }).fill(TEST_PASSWORD),
          ),
          act: press('Sign in'),
          done: (page) => page.waitForURL('/'),
        },
        {
          ready: all(
            (page) => page.context().clearCookies(),
            go('/auth?tab=register'),
            fill('Email address', 'cleo@example.org'),
            fill('Username', 'cleo'),
            (page) => page.getByLabel('Password', { exact: false }).first().fill(NEW_PASSWORD),
            fill('Confirm password', NEW_PASSWORD),
            check(/18 or older/),
          ),
          act: press('Create account'),
          done: 'Registration successful',
        },
      ],
    },
  ];
}
