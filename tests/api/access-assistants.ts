import { type AccessRow, activeMembers, all, members } from './access-people.ts';

const nobodys = { ...all(404), anonymous: 401 };

const unknownToAll = { ...all(400), anonymous: 401 };
const anAuthorization = {
  responseType: 'code',
  clientId: 'unknown',
  redirectUri: 'https://helper.example/done',
  codeChallenge: 'A'.repeat(43),
  codeChallengeMethod: 'S256',
};

/** The rows of what assistants bring. */
export const OF_ASSISTANTS: Record<string, AccessRow> = {
  'drafts.add': [activeMembers, () => ({ text: 'Corner Coffee: 10% off until 2035-12-31, code LATTE-7' })],
  // The coupon of the owner: whether the act is possible shows when it is done.
  'assistantRequests.ask': [members, ({ couponId }) => ({ act: 'show_code', subjectId: couponId })],
  // There is none: tests/api/confirming.test.ts has the others.
  'assistantRequests.byId': [nobodys, () => ({ id: 1_000_000 })],
  'assistantRequests.confirm': [nobodys, () => ({ id: 1_000_000 })],
  'assistantRequests.decline': [nobodys, () => ({ id: 1_000_000 })],
  'oauth.register': [all(200), () => ({ name: 'Helper', redirectUris: ['https://helper.example/done'] })],
  // Nobody has registered it: tests/api/oauth.test.ts has those who have.
  'oauth.authorization': [unknownToAll, () => anAuthorization],
  'oauth.approve': [unknownToAll, () => anAuthorization],
  'oauth.token': [
    all(400),
    () => ({ grantType: 'refresh_token', clientId: 'unknown', refreshToken: 'unknown' }),
  ],
  'oauth.revoke': [all(200), () => ({ token: 'unknown' })],
};
