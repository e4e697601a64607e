import { t } from '@lingui/core/macro';
import type { DB } from '#server/database/types.ts';

/** Rows of a table that a person gets in the copy of their data. */
export interface Content {
  readonly table: keyof DB & string;
  /** The file, without its ending. */
  readonly name: string;
  /** One line for the person. */
  readonly title: () => string;
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
  /** The columns of our own texts in English, each with the one that has it as a stored text: the person gets their language. */
  readonly texts: Readonly<Record<string, string>>;
}

function content<Table extends keyof DB & string>(
  table: Table,
  title: () => string,
  given: {
    readonly name?: string;
    readonly people?: readonly (keyof DB[Table] & string)[];
    readonly through?: { readonly by: keyof DB[Table] & string } & Through;
    readonly visibleFrom?: keyof DB[Table] & string;
    readonly leftOut?: readonly (keyof DB[Table] & string)[];
    readonly texts?: Partial<Record<keyof DB[Table] & string, keyof DB[Table] & string>>;
  },
): Content {
  const { name = kebab(table), people = [], ...rest } = given;
  const texts: Record<string, string> = { ...given.texts };
  const leftOut = [...(given.leftOut ?? []), ...Object.values(texts)];
  return { ...rest, table, name, title, people, leftOut, texts };
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
  content('users', () => t`Your account and your profile`, {
    name: 'account',
    people: ['id'],
    leftOut: ['passwordHash', 'skeleton', 'reportCount'],
  }),
  content('sessions', () => t`The browsers that are signed in`, { people: ['userId'], leftOut: ['id'] }),
  content('signIns', () => t`Your latest sign-ins`, { people: ['userId'], leftOut: ['networkHash'] }),
  content('passkeys', () => t`Your passkeys`, {
    people: ['userId'],
    leftOut: ['credentialId', 'publicKey', 'counter'],
  }),
  content('identities', () => t`The services that sign you in`, { people: ['userId'] }),
  content('secondFactors', () => t`Your authenticator app`, {
    people: ['userId'],
    leftOut: ['secret', 'lastStep'],
  }),
  content('apiKeys', () => t`Your keys for programs, without the keys themselves`, {
    people: ['userId'],
    leftOut: ['tokenHash', 'tokenUntil'],
  }),
  content('assistantRequests', () => t`What your assistants have asked you to confirm`, {
    people: ['userId'],
  }),
  content('deniedRequests', () => t`Requests of yours that we refused`, { people: ['userId'] }),
  content('privateAddresses', () => t`Since when your calendar and your emails have an address`, {
    people: ['userId'],
    leftOut: ['key', 'tokenHash'],
  }),
  content('clockStops', () => t`Times when you were away`, { name: 'absences', people: ['userId'] }),
  content('userBlocks', () => t`The people you have blocked`, { name: 'blocks', people: ['blockerId'] }),
  content('notificationPreferences', () => t`What we tell you about`, { people: ['userId'] }),
  content('pushSubscriptions', () => t`The browsers that get push notifications`, {
    people: ['userId'],
    leftOut: ['sessionId', 'endpoint', 'p256dh', 'auth'],
  }),
  content('pushOutbox', () => t`Push notifications that wait to be sent`, {
    through: { by: 'subscriptionId', table: 'pushSubscriptions', key: 'id', people: ['userId'] },
    leftOut: ['attempts'],
    texts: { title: 'text' },
  }),
  content('webhookEndpoints', () => t`The addresses that your programs are told at`, {
    people: ['userId'],
    leftOut: ['secret', 'oldSecret', 'oldSecretUntil', 'busyUntil'],
  }),
  content('webhookDeliveries', () => t`What we sent to these addresses lately`, {
    through: { by: 'endpointId', table: 'webhookEndpoints', key: 'id', people: ['userId'] },
    // Those of an admin are about others.
    leftOut: ['payload'],
  }),
  content('quietHours', () => t`Your hours without push notifications`, { people: ['userId'] }),
  content('notifications', () => t`Your notifications`, { people: ['userId'], texts: { content: 'text' } }),
  content('mailOutbox', () => t`Our latest emails to you`, {
    name: 'emails',
    people: ['userId'],
    // The receipt's facts say the same in no language.
    leftOut: ['attempts', 'nextTryAt', 'lastError', 'receipt'],
    texts: { subject: 'subjectText', body: 'bodyText' },
  }),
  content('transactionLogs', () => t`Your history`, {
    name: 'history',
    people: ['userId'],
    texts: { details: 'text' },
  }),
  content('leaderboard', () => t`Your places on the leaderboard`, { people: ['userId'] }),

  content('coupons', () => t`Your coupons, without their codes`, {
    people: ['ownerId'],
    leftOut: ['clientKey', 'codeHash', 'merchantText', 'searchText'],
  }),
  content('couponReveals', () => t`When you looked at codes`, { people: ['userId'] }),
  content('exposurePeople', () => t`Your numbers in the records of who was shown a code`, {
    people: ['userId'],
  }),
  content('keptCodes', () => t`The codes that your devices were given to keep`, { people: ['userId'] }),
  content('walletPasses', () => t`The codes that you added to a wallet`, {
    people: ['holderId'],
    leftOut: ['id', 'attempts', 'dueAt'],
  }),
  content('walletDevices', () => t`The devices with these codes`, {
    through: { by: 'passId', table: 'walletPasses', key: 'id', people: ['holderId'] },
    leftOut: ['passId', 'pushToken'],
  }),
  content('couponTransfers', () => t`Coupons that you gave or got`, { people: ['fromUserId', 'toUserId'] }),
  content('reissues', () => t`New codes that merchants made for you, without the codes`, {
    people: ['receiverId', 'actorId'],
    leftOut: ['key', 'newCode', 'attempts', 'nextTryAt'],
  }),
  content('images', () => t`The pictures of codes and for claims that you uploaded`, {
    people: ['uploaderId'],
    leftOut: ['id', 'codes'],
  }),
  content('pictures', () => t`The public pictures that you uploaded`, {
    people: ['uploaderId'],
    leftOut: ['files'],
  }),
  content('validations', () => t`The codes that you had checked`, {
    people: ['userId'],
    leftOut: ['codeHash', 'verdict'],
  }),
  content('inboundMails', () => t`When you forwarded vouchers by email`, {
    people: ['userId'],
    leftOut: ['messageKey', 'attempts', 'dueAt', 'sealed'],
  }),
  content('couponDrafts', () => t`Coupons from your email that you have not listed yet`, {
    people: ['userId'],
    leftOut: ['sealed', 'imageId'],
  }),
  content('savedCoupons', () => t`The coupons that you saved`, { people: ['userId'] }),
  content('expiryReminders', () => t`Our reminders before a last day`, { people: ['userId'] }),
  content('codeFeedback', () => t`Whether codes worked for you`, {
    people: ['userId'],
    leftOut: ['codeHash'],
  }),
  content('reporterRecords', () => t`How often you were right about whether codes work`, {
    people: ['userId'],
  }),
  content('wants', () => t`Your wish list`, {
    people: ['userId'],
    leftOut: ['key', 'merchantPatterns', 'searchPatterns', 'searchRegexes', 'low', 'high'],
  }),
  content('wantGifts', () => t`What you give for a wish`, { through: { by: 'wantId', ...OF_WANT } }),
  content('wantFinds', () => t`What was found for your wishes`, { through: { by: 'wantId', ...OF_WANT } }),
  content('wantConsents', () => t`Wishes that market day may fulfil`, {
    through: { by: 'wantId', ...OF_WANT },
  }),
  content('couponConsents', () => t`Coupons that market day may swap`, { people: ['ownerId'] }),
  content('marketDayNumbers', () => t`Your numbers on market days`, { people: ['userId'] }),
  content('wantNotifications', () => t`Finds that we told you of`, { people: ['userId'] }),
  content('matchDismissals', () => t`The matches that you did not want`, { people: ['userId'] }),

  content('exchanges', () => t`Your exchanges`, {
    people: ['requesterId', 'endedById'],
    through: { by: 'id', ...OF_EXCHANGE },
  }),
  content('exchangeParties', () => t`Who takes part in your exchanges`, {
    people: ['userId'],
    through: { by: 'exchangeId', ...OF_EXCHANGE },
  }),
  content('exchangeLegs', () => t`Who gives which coupon in your exchanges`, {
    people: ['giverId', 'receiverId'],
    through: { by: 'exchangeId', ...OF_EXCHANGE },
  }),
  content('bids', () => t`Bids by you and for your coupons`, { people: ['bidderId', 'ownerId'] }),
  content('bidCounters', () => t`The rounds of these bids`, {
    through: { by: 'bidId', table: 'bids', key: 'id', people: ['bidderId', 'ownerId'] },
  }),
  content('messages', () => t`The messages of your deals`, {
    people: ['senderId', 'receiverId'],
    through: { by: 'exchangeId', ...OF_EXCHANGE },
    leftOut: ['clientKey'],
  }),
  content('messageReceipts', () => t`Which messages of rings you have read`, { people: ['userId'] }),
  content('claims', () => t`Claims by you and about codes that you gave`, {
    people: ['claimantId', 'giverId'],
    leftOut: ['decidedBy', 'remindedAt'],
  }),
  content('userRatings', () => t`The ratings that you gave`, { name: 'ratings-given', people: ['raterId'] }),
  content('userRatings', () => t`The ratings that you got, as soon as both of you can see them`, {
    name: 'ratings-received',
    people: ['ratedUserId'],
    visibleFrom: 'visibleAt',
  }),
  content('userReports', () => t`The reports that you wrote`, {
    name: 'reports',
    people: ['reporterId'],
    leftOut: ['moderatorId', 'moderatorNotes'],
  }),

  content('paymentTransactions', () => t`Your payments`, {
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
  content('paymentTransactions', () => t`Payments for your coupons`, {
    name: 'payments-received',
    people: ['receiverId'],
    leftOut: ['buyerFee', 'platformFee', 'providerFee', 'paymentMethodId', 'details', 'nextTryAt'],
  }),
  content('deposits', () => t`Your deposits, and those that went to you`, {
    people: ['userId', 'receiverId'],
    leftOut: ['attempts', 'lastError', 'nextTryAt'],
  }),
  content('paymentMethods', () => t`The cards that you keep`, {
    people: ['userId'],
    leftOut: ['tokenizedDetails'],
  }),
  content('paymentCustomers', () => t`Your number at the payment provider`, { people: ['userId'] }),
  content('sellerAccounts', () => t`Your accounts to get paid`, { people: ['userId'] }),
  content('ledgerAccounts', () => t`Your accounts in our books`, { people: ['userId'] }),
  content('ledgerEntries', () => t`The entries in these accounts`, {
    through: { by: 'accountId', table: 'ledgerAccounts', key: 'id', people: ['userId'] },
  }),
  content('dataExports', () => t`The copies of your data that you asked for`, {
    people: ['userId'],
    leftOut: ['attempts', 'nextTryAt', 'parts'],
  }),
];

const HASHES = () => t`Hashes and keys from which nothing about you can be read`;
const FINDER = () => t`What the search for matches has worked out from your coupons and wishes`;
const OTHERS = () => t`What others entrusted to us about you, so that they can do so without fear`;
const WORK = () => t`The work of moderators and admins; what they decided about you is in your history`;
const GUARD = () => t`What tells us that two accounts may be one person`;

/** The columns that name a person and are not in the copy, with the reason that the person reads. */
export const NOT_CONTENTS: Readonly<Record<string, () => string>> = {
  'accountTokens.userId': HASHES,
  'identityRequests.userId': HASHES,
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
  'settingChanges.changedBy': WORK,
  'transactionLogs.actorId': WORK,
  'userReports.moderatorId': WORK,
  'uncountedPairs.higherId': GUARD,
  'uncountedPairs.lowerId': GUARD,
};
