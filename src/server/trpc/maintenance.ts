import { t } from '@lingui/core/macro';
import { utcDayAndTime } from '#contract/base/locale.ts';
import { inLanguageOf } from '#contract/people/setting-texts.ts';
import type { Context } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';

const SIGN_IN = 'admins sign in, and everybody may read what is theirs';
const OWN_CODE = 'who stands at a till sees the code of their coupon, and each view is recorded';
const BEGUN = 'a payment that has begun ends well';
const ARRIVES = 'what others send us arrives: they may not send it again';
const OF_DEVICES = 'devices and mail programs do it by themselves';

/** The calls that change something and stay possible during maintenance, with the reason. */
export const DURING_MAINTENANCE: Readonly<Record<string, string>> = {
  'accounts.login': SIGN_IN,
  'accounts.loginWithPasskey': SIGN_IN,
  'accounts.logout': SIGN_IN,
  'accounts.requestPasswordReset': SIGN_IN,
  'accounts.resetPassword': SIGN_IN,
  'accounts.startPasskeySignIn': SIGN_IN,
  'identities.enter': SIGN_IN,
  'identities.finish': SIGN_IN,
  'identities.start': SIGN_IN,
  'coupons.keepCodes': OWN_CODE,
  'coupons.reportViews': OWN_CODE,
  'coupons.reveal': OWN_CODE,
  'payments.capturePaypalOrder': BEGUN,
  'payments.refresh': BEGUN,
  'drafts.receiveMail': ARRIVES,
  'payments.receiveEvent': ARRIVES,
  'notifications.unsubscribe': OF_DEVICES,
  'walletPasses.log': OF_DEVICES,
  'walletPasses.register': OF_DEVICES,
  'walletPasses.unregister': OF_DEVICES,
  'proofs.check': 'it changes nothing',
};

/** In seconds, where nobody knows when it ends, or it takes longer than expected. */
const TRY_AGAIN = 600;

/** Refuses a call that changes something while the market can only be read; admins go on. @throws AppError maintenance */
export function refuseDuringMaintenance(ctx: Context, path: string): void {
  const { maintenance } = ctx.config;
  if (maintenance === null || ctx.actor?.role === 'admin' || path in DURING_MAINTENANCE) return;
  const { until } = maintenance;
  const text = inLanguageOf(maintenance.text);
  const left = until === null ? 0 : Math.ceil((new Date(until).getTime() - ctx.clock().getTime()) / 1_000);
  const retryAfter = left > 0 ? left : TRY_AGAIN;
  if (until === null || left <= 0)
    throw new AppError(
      'maintenance',
      t`${text} Nothing can be changed for now, and nothing is lost. Please try again later.`,
      { retryAfter },
    );
  const [day, time] = utcDayAndTime(until);
  throw new AppError(
    'maintenance',
    t`${text} Nothing can be changed until about ${time} UTC, ${day}, and nothing is lost. Please try again then.`,
    { retryAfter },
  );
}
