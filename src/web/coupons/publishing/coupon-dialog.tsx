import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useCallback, useRef, useState } from 'react';
import { TEXTS } from '#contract/base/texts.ts';
import type { Coupon, CouponPayload } from '#contract/coupons/coupons.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { useUpdateCoupon } from '#web/coupons/core/queries.ts';
import { isPersonal, NOT_LISTED } from '#web/coupons/core/wording.ts';
import { EMPTY_COUPON, nextOfSheet } from '#web/coupons/form/coupon-form-values.ts';
import { useCreateCoupon } from '#web/coupons/form/creating-queries.ts';
import { FirstStep } from '#web/coupons/form/reading/first-step.tsx';
import type { PictureReading } from '#web/coupons/form/reading/use-picture-reading.ts';
import { mayDiscard, UnsavedGuard } from '#web/coupons/form/unsaved-guard.tsx';
import { type Sheet, withoutCode } from '#web/coupons/validations/sheet.ts';
import { useForgetDraft, useHasDraft } from '#web/lib/form-draft.ts';
import { useIsPhone } from '#web/lib/screen.ts';
import { toasts } from '#web/lib/toasts.ts';
import { CouponForm, NEW_COUPON } from './coupon-form.tsx';

/** The first form; each code of a sheet gets a fresh one. */
const FIRST = { round: 0, values: EMPTY_COUPON, reading: null as PictureReading | null };

interface CouponDialogProps {
  /** The coupon to edit; without one, a new coupon is added. */
  readonly coupon?: Coupon;
  /** The file that another application has shared, to be read; null where none has come. */
  readonly shared?: File | null;
  readonly onClose: () => void;
}

/**
 * Adds or edits a coupon. A new one begins with its picture: on phones, which have a camera, in a step of its own, elsewhere
 * as the first field of the form. Asks before it discards unsaved changes.
 */
export function Component({ coupon, shared, onClose }: CouponDialogProps) {
  const { submit, isPending, error, reset } = useSubmit(coupon);
  const [isDirty, setIsDirty] = useState(false);
  // A ref as well as state: the user may type and close before the next render.
  const isDirtyNow = useRef(false);
  const onDirtyChange = useCallback((isChanged: boolean) => {
    isDirtyNow.current = isChanged;
    setIsDirty(isChanged);
  }, []);
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const [start, setStart] = useState(FIRST);
  const hasDraft = useHasDraft(NEW_COUPON);
  const isPhone = useIsPhone();
  const [isFirstStep, setIsFirstStep] = useState(isPhone && !coupon && (!hasDraft || shared !== undefined));
  const goToForm = (change: Partial<typeof FIRST>) => {
    setStart((before) => ({ ...before, ...change }));
    setIsFirstStep(false);
  };
  const read = (reading: PictureReading) => goToForm({ reading });

  const forget = useForgetDraft();
  const close = () => {
    if (!coupon) forget(NEW_COUPON);
    onDirtyChange(false);
    setSheet(null);
    onClose();
  };
  /** Goes on with the next code of a sheet. */
  const goOn = (payload: CouponPayload) => {
    const rest = sheet && withoutCode(sheet, payload.codeValue);
    if (!rest) return close();
    forget(NEW_COUPON);
    reset();
    setSheet(rest);
    setStart(({ round }) => ({ round: round + 1, values: nextOfSheet(payload), reading: null }));
  };
  const unsaved = unsavedText(coupon !== undefined, sheet?.codes.length ?? 0);
  const closeOrAsk = async () => {
    if ((!isDirtyNow.current && !sheet) || (await mayDiscard(unsaved))) close();
  };

  return (
    <>
      <Dialog
        onClose={closeOrAsk}
        title={coupon ? t`Edit coupon` : t`Add a New Coupon`}
        size="60rem"
        isPending={isPending}
      >
        {coupon?.isActive && (
          <Text size="sm" c="dimmed" mb="md">
            <Trans>
              If you change something that others rely on, such as the value, code or expiry date, pending
              requests and bids on this coupon are cancelled.
            </Trans>
          </Text>
        )}
        {isFirstStep ? (
          <FirstStep
            shared={shared}
            onRead={read}
            onType={() => goToForm({})}
            onScanned={(code) => goToForm({ values: { ...EMPTY_COUPON, code } })}
          />
        ) : (
          <CouponForm
            key={start.round}
            coupon={coupon}
            start={start.values}
            reading={start.reading}
            shared={shared}
            onRead={isPhone ? undefined : read}
            sheet={sheet}
            onSheet={setSheet}
            error={error}
            failText={coupon ? t`Failed to save coupon. Please try again.` : TEXTS.coupons.addFailed()}
            onDirtyChange={onDirtyChange}
            onSubmit={(payload) => submit(payload, () => goOn(payload))}
          />
        )}
      </Dialog>
      {(isDirty || sheet) && <UnsavedGuard text={unsaved} onDiscard={close} />}
    </>
  );
}

/** @param codesLeft the codes of the sheet that have no coupon yet */
function unsavedText(isEdit: boolean, codesLeft: number): string {
  if (codesLeft === 1) return t`1 code from the picture is not in a coupon yet.`;
  if (codesLeft > 1) return t`${codesLeft} codes from the picture are not in a coupon yet.`;
  return isEdit ? t`Your changes to this coupon are not saved yet.` : t`This coupon is not listed yet.`;
}

const waitingText = ({ title }: Coupon) => t`A moderator will check “${title}” before others can see it.`;

/** Saves the form and shows a toast on success. The form shows a failure. */
function useSubmit(coupon: Coupon | undefined) {
  const create = useCreateCoupon();
  const update = useUpdateCoupon();
  const submit = (payload: CouponPayload, onStored: () => void) => {
    if (coupon) {
      const onSuccess = (saved: Coupon) => {
        onStored();
        toasts.success(
          t`Coupon saved`,
          saved.isWaiting ? waitingText(saved) : t`“${saved.title}” is up to date.`,
        );
      };
      update.mutate({ ...payload, id: coupon.id }, { onSuccess });
      return;
    }
    const onSuccess = (added: Coupon) => {
      onStored();
      if (isPersonal(added)) return toasts.success(t`Public code added`, NOT_LISTED);
      if (added.isWaiting) return toasts.success(t`Coupon added`, waitingText(added));
      const { title, isActive } = added;
      const later = t`Others can see “${title}” once you confirm your email address.`;
      toasts.success(t`Coupon added`, isActive ? t`“${title}” is now listed.` : later);
    };
    create.mutate(payload, { onSuccess });
  };
  const { isPending, error, reset } = coupon ? update : create;
  return { submit, isPending, error, reset };
}
