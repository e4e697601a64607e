import { t } from '@lingui/core/macro';
import { plainWords } from './wording.ts';

/** What the audit log and the history of fees call an action. */
const ACTIONS: Partial<Record<string, string>> = {
  account_deleted: t`Account deleted`,
  claim_picture_seen: t`Claim picture seen`,
  claim_refunded: t`Claim refunded`,
  claim_refused: t`Claim refused`,
  claim_released: t`Claim released`,
  claim_upheld: t`Claim upheld`,
  coupon_listed: t`Coupon listed`,
  coupon_removed: t`Coupon removed`,
  debt_collected: t`Debt collected`,
  debt_written_off: t`Debt written off`,
  payment: t`Payment`,
  payment_issue_handled: t`Payment issue handled`,
  payment_issue_noted: t`Payment issue noted`,
  payment_issue_retried: t`Payment issue retried`,
  payment_refunded: t`Payment refunded`,
  picture_removed: t`Picture removed`,
  refund: t`Refund`,
  report_ban: t`Report ban`,
  report_dismiss: t`Report dismiss`,
  report_suspend: t`Report suspend`,
  report_warn: t`Report warn`,
  role: t`Role`,
  second_factor_reset: t`Second factor reset`,
  setting_changed: t`Setting changed`,
  setting_undone: t`Setting change undone`,
  sitemap_submitted: t`Sitemap submitted`,
  status_active: t`Status active`,
  status_banned: t`Status banned`,
  status_suspended: t`Status suspended`,
  status_warned: t`Status warned`,
};

const OF_MONEY = ['payment', 'refund'];

/** What the audit log names, for its filter. */
export const AUDIT_ACTIONS = Object.keys(ACTIONS).filter((action) => !OF_MONEY.includes(action));

/** A logged action in words; one that is not known here in those of its name. */
export function actionWords(action: string): string {
  return ACTIONS[action] ?? plainWords(action);
}

/** What payment issues are about, beside the types of providers' events. */
const ISSUES: Partial<Record<string, string>> = {
  account_restricted: t`Account restricted`,
  capture: t`Capture`,
  dispute: t`Dispute`,
  loss: t`Loss`,
  payout: t`Payout`,
  provider_fee: t`Provider fee`,
  refund: t`Refund`,
  reversal: t`Reversal`,
  review: t({ context: 'of a payment', message: 'Review' }),
  seller_banned: t`Seller banned`,
  seller_suspended: t`Seller suspended`,
  withdrawal: t`Withdrawal`,
};

/** What a payment issue is about, in words. */
export function issueWords(what: string): string {
  return ISSUES[what] ?? plainWords(what);
}
