import { PAYMENT_PROVIDERS } from '#contract/people/sellers.ts';
import { forgetOldOrigins } from '#server/coupons/codes/service.ts';
import { lapseFeedback } from '#server/coupons/discover/service.ts';
import { lapseDrafts, readWaitingMail } from '#server/coupons/drafts/service.ts';
import { cleanUpImages } from '#server/coupons/images/service.ts';
import { delistPastCoupons } from '#server/coupons/publishing/service.ts';
import { remindOfExpiry } from '#server/coupons/using/service.ts';
import { cleanUpValidations } from '#server/coupons/validations/service.ts';
import { forgetVoidPasses, tellWallets } from '#server/coupons/wallet-passes/service.ts';
import { notifyOfCoupons, sendDigests } from '#server/coupons/wants/service.ts';
import { removeExpiredLimits } from '#server/database/rate-limits.ts';
import { continueReissues } from '#server/deals/exchanges/service.ts';
import { sendWeeklyMails } from '#server/deals/list/service.ts';
import { forecastMarketDay, runMarketDay } from '#server/deals/market-days/service.ts';
import { findMatches, recordSweep, refreshMatches } from '#server/deals/matches/service.ts';
import { addUpWeeks } from '#server/money/books/service.ts';
import { discardOldEvidence } from '#server/money/claims/service.ts';
import { compareLately } from '#server/money/comparison/service.ts';
import { tellAdmins } from '#server/money/payment-issues/service.ts';
import { cleanUpExports, makeExports } from '#server/oversight/data-exports/service.ts';
import { recountEverybody, refreshLeaderboard } from '#server/oversight/leaderboard/service.ts';
import { endSuspensions, finishStatusEffects } from '#server/oversight/moderation/service.ts';
import { makeRoot } from '#server/oversight/proofs/service.ts';
import { accountLinks, removePastChallenges, removePastTokens } from '#server/people/accounts/service.ts';
import { forgetOldRequests } from '#server/people/assistant-requests/service.ts';
import { removeOldDeniedRequests } from '#server/people/audit/service.ts';
import { forgetOldCalls } from '#server/people/idempotency/service.ts';
import { removePastIdentityRequests } from '#server/people/identities/service.ts';
import { forgetEndedMail, sendWaitingMail } from '#server/people/notifications/service.ts';
import { forgetUnusedClients } from '#server/people/oauth/service.ts';
import { cleanUpPictures } from '#server/people/pictures/service.ts';
import { sendWaitingPushes } from '#server/people/push/service.ts';
import { removeExpiredSessions, removeOldSignIns } from '#server/people/sessions/service.ts';
import { forgetOldDeliveries, sendDeliveries } from '#server/people/webhooks/service.ts';
import { DEADLINE_JOBS } from './deadlines.ts';
import { FEED_JOBS } from './feeds.ts';
import { HEALTH_JOBS } from './health.ts';
import { endOfRun, type Job } from './job.ts';

/** Compare our books of the last days with each provider's. */
const reconciliation: readonly Job[] = PAYMENT_PROVIDERS.map((provider) => ({
  name: `reconciliation-${provider}`,
  cron: '40 4 * * *',
  async run(ctx) {
    const found = await compareLately(ctx, provider);
    const differences = found?.differences.filter(({ isHandled }) => !isHandled) ?? [];
    if (differences.length > 0)
      ctx.log.error({ provider, differences }, 'our books differ from the provider’s');
    const closed = found?.closedAccounts.length ?? 0;
    if (closed > 0) ctx.log.warn({ provider, closed }, 'sellers have not let us look into their accounts');
  },
}));

/** Removes expired data, and rows that one can stand for. */
const cleanUp: Job = {
  name: 'clean-up',
  cron: '7 * * * *',
  async run(ctx) {
    await removeExpiredLimits(ctx);
    await removeExpiredSessions(ctx);
    await removeOldSignIns(ctx);
    await removeOldDeniedRequests(ctx);
    await forgetOldOrigins(ctx);
    await removePastTokens(ctx);
    await removePastChallenges(ctx);
    await removePastIdentityRequests(ctx);
    await forgetEndedMail(ctx);
    await delistPastCoupons(ctx);
    await lapseFeedback(ctx);
    await discardOldEvidence(ctx);
    await lapseDrafts(ctx);
    await cleanUpImages(ctx);
    await cleanUpPictures(ctx);
    await cleanUpValidations(ctx);
    await cleanUpExports(ctx);
    await forgetVoidPasses(ctx);
    await forgetOldDeliveries(ctx);
    await forgetOldCalls(ctx);
    await forgetOldRequests(ctx);
    await forgetUnusedClients(ctx);
    await addUpWeeks(ctx);
  },
};

/** Reminds people of coupons that are about to expire; runs every hour, so that an outage does not miss a day. */
const reminders: Job = {
  name: 'reminders',
  cron: '23 * * * *',
  async run(ctx) {
    const given = await remindOfExpiry(ctx);
    if (given > 0) ctx.log.info({ given }, 'people were reminded of coupons that expire');
  },
};

/** Counts again those about whom something has changed, and ratings that have become visible. */
const leaderboard: Job = {
  name: 'leaderboard',
  cron: '*/10 * * * *',
  async run(ctx, stopping) {
    const done = await refreshLeaderboard(ctx, stopping);
    if (Object.values(done).some((count) => count > 0)) ctx.log.info(done, 'the leaderboard was refreshed');
  },
};

/** Has the leaderboard count everybody, in case a change was missed. */
const leaderboardSweep: Job = {
  name: 'leaderboard-sweep',
  cron: '20 3 * * *',
  async run(ctx) {
    const queued = await recountEverybody(ctx);
    ctx.log.info({ queued }, 'everybody’s points are counted again');
  },
};

/** Sends queued mail within seconds. */
export const mail: Job = {
  name: 'mail',
  cron: '* * * * *',
  isRepeated: true,
  async run(ctx, end) {
    const { sent, failed } = await sendWaitingMail(ctx, accountLinks, end);
    if (sent + failed > 0) ctx.log.info({ sent, failed }, 'waiting mail was sent');
  },
};

/** Sends queued pushes within seconds. */
const push: Job = {
  name: 'push',
  cron: '* * * * *',
  isRepeated: true,
  async run(ctx, end) {
    const { sent, failed } = await sendWaitingPushes(ctx, end);
    if (sent + failed > 0) ctx.log.info({ sent, failed }, 'waiting pushes were sent');
  },
};

/** Tells people's own programs of what has happened, within seconds. */
const webhooks: Job = {
  name: 'webhooks',
  cron: '* * * * *',
  isWaiting: true,
  async run(ctx, stopping) {
    const { sent, failed } = await sendDeliveries(ctx, endOfRun(stopping));
    if (sent + failed > 0) ctx.log.info({ sent, failed }, 'webhooks were sent');
  },
};

/** Reads forwarded mails within seconds. */
const inboundMail: Job = {
  name: 'inbound-mail',
  cron: '* * * * *',
  isRepeated: true,
  async run(ctx, end) {
    const read = await readWaitingMail(ctx, end);
    if (read > 0) ctx.log.info({ read }, 'forwarded mails were read');
  },
};

/** Tells people of coupons that they look for, within seconds after the minute in which they were listed. */
const wants: Job = {
  name: 'wants',
  cron: '* * * * *',
  isRepeated: true,
  async run(ctx, end) {
    const told = await notifyOfCoupons(ctx, end);
    if (told > 0) ctx.log.info({ told }, 'people were told of coupons that they look for');
  },
};

/** Tells the wallets of phones within seconds that a pass has changed or become void. */
const walletPasses: Job = {
  name: 'wallet-passes',
  cron: '* * * * *',
  isRepeated: true,
  async run(ctx, end) {
    const told = await tellWallets(ctx, end);
    if (told > 0) ctx.log.info({ told }, 'wallets were told of changes');
  },
};

/** Has merchants make the new codes of coupons that have changed hands, within seconds, and goes on with what a crash left. */
const reissues: Job = {
  name: 'reissues',
  cron: '* * * * *',
  isRepeated: true,
  async run(ctx) {
    const continued = await continueReissues(ctx);
    if (continued > 0) ctx.log.info({ continued }, 'new codes were gone on with');
  },
};

/** Finds swaps and rings for what has changed, within seconds. */
const matches: Job = {
  name: 'matches',
  cron: '* * * * *',
  isRepeated: true,
  async run(ctx, end) {
    const searched = await findMatches(ctx, { signal: end });
    if (searched > 0) ctx.log.info({ searched }, 'matches were looked for');
  },
};

/** Plans market day, and trades at its hour. */
const marketDay: Job = {
  name: 'market-day',
  cron: '* * * * *',
  async run(ctx, stopping) {
    const traded = await runMarketDay(ctx, stopping);
    if (traded > 0) ctx.log.info({ traded }, 'market day has traded coupons');
  },
};

/** Works out what market day would trade if it were now. */
const marketDayForecast: Job = {
  name: 'market-day-forecast',
  cron: '*/15 * * * *',
  run: forecastMarketDay,
};

/** Looks for swaps again, chooses those that together make the most trades, and records how many they are. */
const matchSweep: Job = {
  name: 'match-sweep',
  cron: '10 3 * * *',
  async run(ctx, stopping) {
    const placed = await refreshMatches(ctx, stopping);
    ctx.log.info({ placed }, 'the matches were swept');
    if (!stopping.aborted) await recordSweep(ctx);
  },
};

/** The daily mails about coupons that people look for. */
const wantDigests: Job = {
  name: 'want-digests',
  cron: '30 7 * * *',
  async run(ctx) {
    const sent = await sendDigests(ctx);
    if (sent > 0) ctx.log.info({ sent }, 'daily mails about wanted coupons were written');
  },
};

/** The weekly mails, on Monday; every hour of it, so that an outage in the morning does not cost a week. */
const weeklyMails: Job = {
  name: 'weekly-mails',
  cron: '11 8-20 * * 1',
  async run(ctx, stopping) {
    const sent = await sendWeeklyMails(ctx, stopping);
    if (sent > 0) ctx.log.info({ sent }, 'weekly mails were written');
  },
};

/**
 * Ends suspensions whose time is up. Finishes bans, ends of bans and account deletions that were interrupted or had to
 * wait for a payment or a provider.
 */
const statusEffects: Job = {
  name: 'status-effects',
  cron: '* * * * *',
  async run(ctx) {
    const ended = await endSuspensions(ctx);
    if (ended > 0) ctx.log.info({ ended }, 'suspensions have ended');
    const done = await finishStatusEffects(ctx);
    if (done.people + done.cards > 0) ctx.log.info(done, 'effects of statuses were finished');
  },
};

/** Makes the copies of their data that people have asked for. */
const dataExports: Job = {
  name: 'data-exports',
  cron: '* * * * *',
  async run(ctx, stopping) {
    const ready = await makeExports(ctx, endOfRun(stopping));
    if (ready > 0) ctx.log.info({ ready }, 'copies of people’s data are ready');
  },
};

/** Makes the daily root; every hour, so that an outage costs no day. The first run of a day makes it. */
const dailyRoot: Job = {
  name: 'daily-root',
  cron: '3 * * * *',
  async run(ctx) {
    const day = await makeRoot(ctx);
    if (day !== null) ctx.log.info({ day }, 'the daily root was made');
  },
};

/** Mails admins what no program can decide. */
const paymentIssues: Job = {
  name: 'payment-issues',
  cron: '* * * * *',
  async run(ctx) {
    const told = await tellAdmins(ctx);
    if (told > 0) ctx.log.warn({ told }, 'payment issues wait for an admin');
  },
};

export const JOBS: readonly Job[] = [
  ...DEADLINE_JOBS,
  ...reconciliation,
  paymentIssues,
  cleanUp,
  reminders,
  ...FEED_JOBS,
  leaderboard,
  leaderboardSweep,
  mail,
  push,
  webhooks,
  inboundMail,
  wants,
  wantDigests,
  weeklyMails,
  matches,
  matchSweep,
  marketDay,
  marketDayForecast,
  statusEffects,
  dataExports,
  walletPasses,
  reissues,
  dailyRoot,
  ...HEALTH_JOBS,
];
