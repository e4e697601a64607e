import { TEST_PASSWORD } from '#tests/support/builders.ts';
import { OF_ASSISTANTS } from './access-assistants.ts';
import {
  type AccessRow,
  activeMembers,
  all,
  hiddenFromOthers,
  members,
  withoutSecondFactor,
} from './access-people.ts';

const newPassword = { newPassword: 'Aa1-meadow', confirmPassword: 'Aa1-meadow' };
const unknownToken = 'A'.repeat(43);

/** A browser that could get pushes. */
export const newBrowser = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/1',
  keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) },
};

const credential = { id: 'unknown', rawId: 'unknown', type: 'public-key' };
const unknownPasskey = {
  ...credential,
  response: { clientDataJSON: 'e30', authenticatorData: 'e30', signature: 'e30' },
};
const newPasskey = { ...credential, response: { clientDataJSON: 'e30', attestationObject: 'e30' } };

let counter = 0;

function newRegistration() {
  const username = `newcomer-${++counter}`;
  return {
    username,
    email: `${username}@example.org`,
    password: 'a rather long pass phrase',
    acceptTerms: true,
    isAdult: true,
  };
}

/** The rows of accounts, and of the assistants that act for them. */
export const ACCOUNTS: Record<string, AccessRow> = {
  ...OF_ASSISTANTS,
  'accounts.me': [all(200)],
  'accounts.currentUser': [members],
  'accounts.register': [all(200), newRegistration],
  'accounts.registrationPlace': [all(200)],
  'accounts.proposeUsername': [all(200), () => ({ name: 'jane.doe' })],
  'accounts.login': [all(401), () => ({ username: 'nobody-here', password: 'wrong' })],
  'accounts.startDefence': [all(400), () => ({ token: `1.2000000000.${'A'.repeat(43)}` })],
  'accounts.startPasskeySignIn': [all(200)],
  'accounts.loginWithPasskey': [all(401), () => ({ passkey: unknownPasskey })],
  'accounts.startPasskeyRegistration': [all(200), () => ({ username: 'somebody.new' })],
  'accounts.registerWithPasskey': [
    all(400),
    () => {
      const { password: _, ...person } = newRegistration();
      return { ...person, passkey: newPasskey };
    },
  ],
  'accounts.logout': [all(200)],
  'accounts.demoPeople': [all(200)],
  'accounts.confirmationMail': [members],
  'accounts.sendVerification': [members],
  'accounts.verifyEmail': [all(400), () => ({ token: unknownToken })],
  'accounts.requestPasswordReset': [all(200), () => ({ email: 'owner@example.org' })],
  'accounts.resetPassword': [all(400), () => ({ token: unknownToken, ...newPassword })],
  'accounts.updateProfile': [
    activeMembers,
    (_, person) => ({
      email: `${person}-${++counter}@example.org`,
      preferredCurrency: 'EUR',
      country: 'JP',
      password: TEST_PASSWORD,
    }),
  ],
  'accounts.chooseLanguage': [members, () => ({ language: 'fr' })],
  'accounts.changePassword': [activeMembers, () => ({ currentPassword: TEST_PASSWORD, ...newPassword })],
  'accounts.sessions': [members],
  'accounts.signIns': [members],
  'accounts.secondFactor': [members],
  'accounts.startSecondFactor': [members, () => ({ password: TEST_PASSWORD })],
  // Nobody here has a second factor.
  'accounts.enableSecondFactor': [withoutSecondFactor, () => ({ code: '123456' })],
  'accounts.confirmSecondFactor': [withoutSecondFactor, () => ({ code: '123456' })],
  'accounts.renewRecoveryCodes': [withoutSecondFactor, () => ({ code: '123456' })],
  'accounts.disableSecondFactor': [withoutSecondFactor, () => ({ password: TEST_PASSWORD, code: '123456' })],
  'accounts.passkeys': [members],
  // Nobody here has a passkey, except the owner, who has one that signs nothing.
  'accounts.startPasskeyCheck': [{ ...withoutSecondFactor, owner: 200 }],
  'accounts.startPasskey': [members, () => ({ password: TEST_PASSWORD })],
  'accounts.addPasskey': [{ ...all(400), anonymous: 401 }, () => ({ name: 'Phone', passkey: newPasskey })],
  'accounts.renamePasskey': [hiddenFromOthers, ({ passkeyId }) => ({ id: passkeyId, name: 'Phone' })],
  'accounts.removePasskey': [hiddenFromOthers, ({ passkeyId: id }) => ({ id, password: TEST_PASSWORD })],
  'apiKeys.list': [members],
  'apiKeys.whose': [members],
  'apiKeys.make': [
    members,
    () => ({ name: 'Robot', scopes: ['coupons:read'], days: 30, password: TEST_PASSWORD }),
  ],
  'apiKeys.revoke': [hiddenFromOthers, ({ keyId: id }) => ({ id })],
  // No provider is set up here.
  'identities.provider': [all(200)],
  'identities.start': [all(404), () => ({})],
  'identities.startLink': [{ ...all(404), anonymous: 401 }, () => ({ password: TEST_PASSWORD })],
  'identities.finish': [all(404), () => ({ query: 'code=1&state=2' })],
  'identities.pending': [all(200)],
  'identities.enter': [all(401), () => ({})],
  'identities.register': [
    all(401),
    () => {
      const { password: _, ...person } = newRegistration();
      return person;
    },
  ],
  'identities.link': [all(401), () => ({ password: TEST_PASSWORD })],
  'identities.list': [members],
  'identities.remove': [hiddenFromOthers, ({ identityId: id }) => ({ id, password: TEST_PASSWORD })],
  'accounts.endSession': [hiddenFromOthers, ({ ownerSessionId }) => ({ id: ownerSessionId })],
  'accounts.endOtherSessions': [members],
  // The counterpart and the owner have a deal to finish.
  'accounts.deleteAccount': [
    { ...members, counterpart: 409, owner: 409 },
    () => ({ confirmPassword: TEST_PASSWORD }),
  ],
};
