import { OutcomeQuestion } from './coupon-outcomes.tsx';
import { RedeemDialog, type RedeemDialogProps } from './redeem-dialog.tsx';

/** Shows the code, and asks who got it in a deal whether it worked. */
export function RedeemAndTell(props: Omit<RedeemDialogProps, 'question'>) {
  return <RedeemDialog {...props} question={<OutcomeQuestion coupon={props.coupon} />} />;
}
