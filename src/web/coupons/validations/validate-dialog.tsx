import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Checkbox, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { marketName } from '#contract/base/market.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { ValidationSource } from '#contract/coupons/validation.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { writeErrorText } from '#web/lib/errors.ts';
import { ResultPanel } from './result-panel.tsx';
import { SourceSelect } from './source-select.tsx';
import { useVerdict } from './use-verdict.ts';

/** Shown to the user, and sent along unchanged. */
const DISCLAIMER = t`I have a lawful interest in this check, such as a swap or a purchase I am considering. I will not use it to find out or guess codes. I understand that the result comes from third parties or from the format of the code, may be wrong or out of date, and is no promise by ${{ market: marketName() }} or the merchant that the coupon will be accepted.`;

/** Validates another user's coupon. The server looks up the code; the browser never receives it. */
export function Component({ coupon }: { coupon: Coupon }) {
  const [source, setSource] = useState<ValidationSource>('auto');
  const [isConfirmed, setIsConfirmed] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const { verdict, ask, isPending, error } = useVerdict<number>(TEXTS.validation.invalidTitle());

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isConfirmed) {
      setProblem(TEXTS.validation.confirmationRequired());
      box.current?.focus();
      return;
    }
    const confirmation = { ownershipConfirmation: true, disclaimer: DISCLAIMER };
    void ask({ couponId: coupon.id, preferredSource: source, ...confirmation }, coupon.id);
  };

  return (
    <Dialog title={t`Validate Coupon`} size="lg">
      <DialogForm
        onSubmit={submit}
        cancelLabel={verdict ? t`Done` : t`Cancel`}
        submitLabel={verdict ? t`Validate again` : t`Validate`}
        isLoading={isPending}
      >
        <CouponTicket coupon={coupon} size="small" isLinked={false} />
        <Text>
          <Trans>
            We check the code of this coupon and tell you the result; the code itself stays hidden. If the
            merchant’s own system answers, everyone can see that result on the coupon.
          </Trans>
        </Text>
        <Checkbox
          ref={box}
          label={t`I confirm that I may check this code`}
          description={DISCLAIMER}
          styles={{ description: { fontSize: 'var(--mantine-font-size-sm)' } }}
          required
          error={problem}
          checked={isConfirmed}
          onChange={({ currentTarget }) => {
            setIsConfirmed(currentTarget.checked);
            setProblem(null);
          }}
        />
        <SourceSelect value={source} onChange={setSource} />
        <div aria-live="polite" aria-busy={isPending}>
          {verdict && !isPending && <ResultPanel result={verdict.result} />}
        </div>
        {error && !isPending && (
          <Alert color="red" role="presentation" icon={<IconAlertCircle aria-hidden="true" />}>
            {writeErrorText(error, TEXTS.validation.failedUnexpected())}
          </Alert>
        )}
      </DialogForm>
    </Dialog>
  );
}
