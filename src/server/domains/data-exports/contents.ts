import type { DB } from '#server/database/types.ts';

/** Rows of a table that a person gets in the copy of their data. */
export interface Content {
  readonly table: keyof DB & string;
  /** The file, without its ending. */
  readonly name: string;
  /** One line for the person. */
  readonly title: string;
  /** The columns that name the person: a row with the person in one of them is theirs. */
  readonly people: readonly string[];
  /**
   * How a row without such a column is theirs: `table` has the person in one of its columns `people`, and its column
   * `key` has the value of the row's column `by`.
   */
  readonly through?: {
    readonly by: string;
    readonly table: keyof DB & string;
    readonly key: string;
    readonly people: readonly string[];
  };
  /** A column whose time has to be over before the person may see the row. */
  readonly visibleFrom?: string;
  /** Columns that are no news to the person, or not for them: keys, hashes, and what others wrote in confidence. */
  readonly leftOut: readonly string[];
}

function content<Table extends keyof DB & string>(
  table: Table,
  title: string,
  given: {
    readonly name?: string;
    readonly people?: readonly (keyof DB[Table] & string)[];
    readonly through?: { readonly by: keyof DB[Table] & string } & Through;
    readonly visibleFrom?: keyof DB[Table] & string;
    readonly leftOut?: readonly (keyof DB[Table] & string)[];
  },
): Content {
  const { name = kebab(table), people = [], leftOut = [], ...rest } = given;
  return { table, name, title, people, leftOut, ...rest };
}

type Through = {
  [Table in keyof DB & string]: {
    readonly table: Table;
    readonly key: keyof DB[Table] & string;
    readonly people: readonly (keyof DB[Table] & string)[];
  };
}[keyof DB & string];

const kebab = (table: string) => table.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const OF_EXCHANGE = { table: 'exchangeParties', key: 'exchangeId', people: ['userId'] } as const;
const OF_WANT = { table: 'wants', key: 'id', people: ['userId'] } as const;

/** What the copy of a person's data has, by table. */
export const CONTENTS: readonly Content[] = [
  content('users', 'Your account and your profile', {
    name: 'account',
    people: ['id'],
    leftOut: ['passwordHash', 'skeleton', 'reportCount'],
  }),
  content('sessions', 'The browsers that are signed in', { people: ['userId'], leftOut: ['id'] }),
  content('signIns', 'Your latest sign-ins', { people: ['userId'], leftOut: ['networkHash'] }),
  content('passkeys', 'Your passkeys', {
    people: ['userId'],
    leftOut: ['credentialId', 'publicKey', 'counter'],
  }),
  content('secondFactors', 'Your authenticator app', {
    people: ['userId'],
    leftOut: ['secret', 'lastStep'],
  }),
  content('deniedRequests', 'Requests of yours that we refused', { people: ['userId'] }),
  content('privateAddresses', 'Since when your calendar and your emails have an address', {
    people: ['userId'],
    leftOut: ['key', 'tokenHash'],
  }),
  content('clockStops', 'Times when you were away', { name: 'absences', people: ['userId'] }),
  content('userBlocks', 'The people you have blocked', { name: 'blocks', people: ['blockerId'] }),
  content('notificationPreferences', 'What we tell you about', { people: ['userId'] }),
  content('pushSubscriptions', 'The browsers that get push notifications', {
    people: ['userId'],
    leftOut: ['sessionId', 'endpoint', 'p256dh', 'auth'],
  }),
  content('pushOutbox', 'Push notifications that wait to be sent', {
    through: { by: 'subscriptionId', table: 'pushSubscriptions', key: 'id', people: ['userId'] },
    leftOut: ['attempts'],
  }),
  content('quietHours', 'Your hours without push notifications', { people: ['userId'] }),
  content('notifications', 'Your notifications', { people: ['userId'] }),
  content('mailOutbox', 'Our latest emails to you', {
    name: 'emails',
    people: ['userId'],
    leftOut: ['attempts', 'nextTryAt', 'lastError'],
  }),
  content('transactionLogs', 'Your history', { name: 'history', people: ['userId'] }),
  content('leaderboard', 'Your places on the leaderboard', { people: ['userId'] }),

  content('coupons', 'Your coupons, without their codes', {
    people: ['ownerId'],
    leftOut: ['clientKey', 'codeHash', 'merchantText', 'searchText'],
  }),
  content('couponReveals', 'When you looked at codes', { people: ['userId'] }),
  content('keptCodes', 'The codes that your devices were given to keep', { people: ['userId'] }),
  content('walletPasses', 'The codes that you added to a wallet', {
    people: ['holderId'],
    leftOut: ['id', 'attempts', 'dueAt'],
  }),
  content('walletDevices', 'The devices with these codes', {
    through: { by: 'passId', table: 'walletPasses', key: 'id', people: ['holderId'] },
    leftOut: ['passId', 'pushToken'],
  }),
  content('couponTransfers', 'Coupons that you gave or got', { people: ['fromUserId', 'toUserId'] }),
  content('images', 'The pictures of codes and for claims that you uploaded', {
    people: ['uploaderId'],
    leftOut: ['id', 'codes'],
  }),
  content('pictures', 'The public pictures that you uploaded', {
    people: ['uploaderId'],
    leftOut: ['files'],
  }),
  content('validations', 'The codes that you had checked', {
    people: ['userId'],
    leftOut: ['codeHash', 'verdict'],
  }),
  content('inboundMails', 'When you forwarded vouchers by email', {
    people: ['userId'],
    leftOut: ['messageKey', 'attempts', 'dueAt'],
  }),
  content('couponDrafts', 'Coupons from your email that you have not listed yet', {
    people: ['userId'],
    leftOut: ['sealed', 'imageId'],
  }),
  content('savedCoupons', 'The coupons that you saved', { people: ['userId'] }),
  content('expiryReminders', 'Our reminders before a last day', { people: ['userId'] }),
  content('codeFeedback', 'Whether codes worked for you', { people: ['userId'], leftOut: ['codeHash'] }),
  content('wants', 'Your wish list', {
    people: ['userId'],
    leftOut: ['key', 'merchantPatterns', 'searchPatterns', 'searchRegexes', 'low', 'high'],
  }),
  content('wantGifts', 'What you give for a wish', { through: { by: 'wantId', ...OF_WANT } }),
  content('wantFinds', 'What was found for your wishes', { through: { by: 'wantId', ...OF_WANT } }),
  content('wantNotifications', 'Finds that we told you of', { people: ['userId'] }),
  content('matchDismissals', 'The matches that you did not want', { people: ['userId'] }),

  content('exchanges', 'Your exchanges', {
    people: ['requesterId', 'endedById'],
    through: { by: 'id', ...OF_EXCHANGE },
  }),
  content('exchangeParties', 'Who takes part in your exchanges', {
    people: ['userId'],
    through: { by: 'exchangeId', ...OF_EXCHANGE },
  }),
  content('exchangeLegs', 'Who gives which coupon in your exchanges', {
    people: ['giverId', 'receiverId'],
    through: { by: 'exchangeId', ...OF_EXCHANGE },
  }),
  content('bids', 'Bids by you and for your coupons', { people: ['bidderId', 'ownerId'] }),
  content('bidCounters', 'The rounds of these bids', {
    through: { by: 'bidId', table: 'bids', key: 'id', people: ['bidderId', 'ownerId'] },
  }),
  content('messages', 'The messages of your deals', {
    people: ['senderId', 'receiverId'],
    through: { by: 'exchangeId', ...OF_EXCHANGE },
    leftOut: ['clientKey'],
  }),
  content('messageReceipts', 'Which messages of rings you have read', { people: ['userId'] }),
  content('claims', 'Claims by you and about codes that you gave', {
    people: ['claimantId', 'giverId'],
    leftOut: ['decidedBy', 'remindedAt'],
  }),
  content('userRatings', 'The ratings that you gave', { name: 'ratings-given', people: ['raterId'] }),
  content('userRatings', 'The ratings that you got, as soon as both of you can see them', {
    name: 'ratings-received',
    people: ['ratedUserId'],
    visibleFrom: 'visibleAt',
  }),
  content('userReports', 'The reports that you wrote', {
    name: 'reports',
    people: ['reporterId'],
    leftOut: ['moderatorId', 'moderatorNotes'],
  }),

  content('paymentTransactions', 'Your payments', {
    name: 'payments-made',
    people: ['senderId'],
    leftOut: [
      'sellerFee',
      'platformFee',
      'netAmount',
      'providerFee',
      'receiverAccount',
      'details',
      'nextTryAt',
    ],
  }),
  content('paymentTransactions', 'Payments for your coupons', {
    name: 'payments-received',
    people: ['receiverId'],
    leftOut: ['buyerFee', 'platformFee', 'providerFee', 'paymentMethodId', 'details', 'nextTryAt'],
  }),
  content('paymentMethods', 'The cards that you keep', {
    people: ['userId'],
    leftOut: ['tokenizedDetails'],
  }),
  content('paymentCustomers', 'Your number at the payment provider', { people: ['userId'] }),
  content('sellerAccounts', 'Your accounts to get paid', { people: ['userId'] }),
  content('ledgerAccounts', 'Your accounts in our books', { people: ['userId'] }),
  content('ledgerEntries', 'The entries in these accounts', {
    through: { by: 'accountId', table: 'ledgerAccounts', key: 'id', people: ['userId'] },
  }),
  content('dataExports', 'The copies of your data that you asked for', {
    people: ['userId'],
    leftOut: ['attempts', 'nextTryAt', 'parts'],
  }),
];

const HASHES = 'Hashes and keys from which nothing about you can be read';
const FINDER = 'What the search for matches has worked out from your coupons and wishes';
const OTHERS = 'What others entrusted to us about you, so that they can do so without fear';
const WORK = 'The work of moderators and admins; what they decided about you is in your history';
const GUARD = 'What tells us that two accounts may be one person';

/** The columns that name a person and are not in the copy, with the reason that the person reads. */
export const NOT_CONTENTS: Readonly<Record<string, string>> = {
  'accountTokens.userId': HASHES,
  'passkeyChallenges.userId': HASHES,
  'recoveryCodes.userId': HASHES,
  'reservedNames.userId': HASHES,
  'codeOwners.ownerId': HASHES,
  'matchEdges.ownerId': FINDER,
  'matchEdges.takerId': FINDER,
  'matches.dismissedById': FINDER,
  'matchLegs.giverId': FINDER,
  'matchLegs.receiverId': FINDER,
  'matchNotifications.userId': FINDER,
  'matchQueue.otherId': FINDER,
  'matchQueue.userId': FINDER,
  'matchSwapsNotified.userId': FINDER,
  'matchWishes.userId': FINDER,
  'matchDismissals.personId': OTHERS,
  'userBlocks.blockedId': OTHERS,
  'userReports.reportedUserId': OTHERS,
  'auditLog.actorId': WORK,
  'auditLog.targetUserId': WORK,
  'claims.decidedBy': WORK,
  'paymentIssueNotes.authorId': WORK,
  'paymentIssues.handledBy': WORK,
  'reconciliationDifferences.handledBy': WORK,
  'transactionLogs.actorId': WORK,
  'userReports.moderatorId': WORK,
  'uncountedPairs.higherId': GUARD,
  'uncountedPairs.lowerId': GUARD,
};
