import { newPasskey } from './access-accounts.ts';

const agreed = { acceptTerms: true, isAdult: true };
const newcomer = { username: 'newcomer', email: 'newcomer@example.org', ...agreed };
const chosen = { newPassword: 'Aa1-meadow', confirmPassword: 'Aa1-meadow' };

/** Right inputs of the calls about accounts, one field of which a test makes wrong. */
export const ACCOUNT_INPUTS = {
  'accounts.register': { ...newcomer, password: 'a rather long pass phrase' },
  'accounts.registerWithPasskey': { ...newcomer, passkey: newPasskey },
  'accounts.login': { username: 'newcomer', password: 'wrong' },
  'accounts.startDefence': { token: `1.2000000000.${'A'.repeat(43)}` },
  'accounts.verifyEmail': { token: 'A'.repeat(43) },
  'accounts.requestPasswordReset': { email: 'newcomer@example.org' },
  'accounts.resetPassword': { token: 'A'.repeat(43), ...chosen },
  'accounts.updateProfile': { email: 'newcomer@example.org', preferredCurrency: 'CAD', country: 'CA' },
  'accounts.changePassword': { currentPassword: 'correct horse battery', ...chosen },
  'accounts.startSecondFactor': { password: 'wrong' },
  'accounts.enableSecondFactor': { code: '123456' },
  'accounts.confirmSecondFactor': { code: '123456' },
  'accounts.renewRecoveryCodes': { code: '123456' },
  'accounts.disableSecondFactor': { password: 'wrong', code: '123456' },
  'accounts.addPasskey': { name: 'Phone', passkey: newPasskey },
  'accounts.renamePasskey': { id: 1, name: 'Phone' },
  'accounts.removePasskey': { id: 1, password: 'wrong' },
  'identities.start': { from: '/my-bids' },
  'identities.startLink': { password: 'wrong' },
  'identities.finish': { query: 'code=1&state=2' },
  'identities.enter': { code: '123456' },
  'identities.register': newcomer,
  'identities.link': { password: 'wrong' },
  'identities.remove': { id: 1, password: 'wrong' },
  'apiKeys.make': { name: 'Robot', scopes: ['coupons:read'], days: 30, password: 'wrong' },
  'apiKeys.revoke': { id: 1, removesWebhooks: true },
};
