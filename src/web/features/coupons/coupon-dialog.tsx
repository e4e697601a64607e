import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useRef, useState } from 'react';
import type { Coupon, CouponPayload } from '#contract/coupons.ts';
import { TEXTS } from '#contract/texts.ts';
import { toasts } from '#web/lib/toasts.ts';
import { CouponForm } from './coupon-form.tsx';
import { useCreateCoupon, useUpdateCoupon } from './queries.ts';
import { UnsavedGuard } from './unsaved-guard.tsx';

interface CouponDialogProps {
  /** The coupon to edit; without one a new coupon is added. */
  readonly coupon?: Coupon;
  readonly opened: boolean;
  readonly onClose: () => void;
}

const SMALL_SCREEN = '(max-width: 36em)';

/** Adds a coupon or edits one. What has been typed is not thrown away without a question. */
export function CouponDialog({ coupon, opened, onClose }: CouponDialogProps) {
  const isSmall = useMediaQuery(SMALL_SCREEN, false, { getInitialValueInEffect: false });
  const { submit, isPending, error, reset } = useSubmit(coupon);
  const [isDirty, setIsDirty] = useState(false);
  // Known at once, for whoever types and closes before the next picture is drawn.
  const isDirtyNow = useRef(false);
  const onDirtyChange = useCallback((isChanged: boolean) => {
    isDirtyNow.current = isChanged;
    setIsDirty(isChanged);
  }, []);
  const [isAsking, setIsAsking] = useState(false);
  const [isAskedInside, setIsAskedInside] = useState(false);
  const hasQuestion = isAsking || isAskedInside;

  const close = useCallback(() => {
    setIsAsking(false);
    onDirtyChange(false);
    reset();
    onClose();
  }, [onClose, onDirtyChange, reset]);
  const askOrClose = () => {
    if (isPending) return;
    // Not within the press of Escape that asks: the question would take it for its own and close again.
    if (isDirtyNow.current) window.setTimeout(() => setIsAsking(true));
    else close();
  };

  return (
    <>
      <Modal
        opened={opened}
        onClose={askOrClose}
        title={coupon ? 'Edit Coupon' : 'Add a New Coupon'}
        size="60rem"
        fullScreen={isSmall}
        // The question on top of it has the keyboard to itself.
        closeOnEscape={!hasQuestion}
        trapFocus={!hasQuestion}
      >
        <CouponForm
          coupon={coupon}
          isPending={isPending}
          error={error}
          failText={coupon ? 'Failed to save coupon. Please try again.' : TEXTS.coupons.addFailed}
          onDirtyChange={onDirtyChange}
          onQuestionChange={setIsAskedInside}
          onSubmit={(payload) => submit(payload, close)}
          onCancel={askOrClose}
        />
      </Modal>
      {opened && isDirty && (
        <UnsavedGuard
          text={coupon ? 'The changes to this coupon are not saved yet.' : 'This coupon is not listed yet.'}
          isAsking={isAsking}
          onAsk={setIsAsking}
          onDiscard={close}
        />
      )}
    </>
  );
}

/** Stores what the form holds, and says when that has worked; a failure is said in the form. */
function useSubmit(coupon: Coupon | undefined) {
  const create = useCreateCoupon();
  const update = useUpdateCoupon();
  const submit = (payload: CouponPayload, onStored: () => void) => {
    if (coupon) {
      // The form has no field for the link: it stays.
      const onSuccess = () => {
        onStored();
        toasts.success('Coupon saved', `“${payload.title}” is up to date.`);
      };
      update.mutate({ ...payload, id: coupon.id, sourceUrl: coupon.sourceUrl }, { onSuccess });
      return;
    }
    const onSuccess = () => {
      onStored();
      toasts.success('Coupon added', `“${payload.title}” is on the table.`);
    };
    create.mutate(payload, { onSuccess });
  };
  const { isPending, error, reset } = coupon ? update : create;
  return { submit, isPending, error, reset };
}
