import { t } from '@lingui/core/macro';
import { IconBookmark, IconBookmarkFilled } from '@tabler/icons-react';
import { useLocation } from 'react-router-dom';
import { SHELL_TEXTS } from '#contract/base/shell-texts.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { isRestricted } from '#contract/people/roles.ts';
import { ActionButton } from '#web/components/action-button.tsx';
import { useSetSaved } from '#web/coupons/core/queries.ts';
import { useAsMember } from '#web/lib/as-member.ts';
import { wireErrorOf, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useViewer } from '#web/lib/viewer.tsx';

/** Shows why a coupon could not be saved or unsaved (spec/1 section 8). */
export function showSaveFailure(error: unknown): void {
  const wire = wireErrorOf(error);
  const text = writeErrorText(error, SHELL_TEXTS.saved.failed());
  toasts.failure(t`Nothing was changed`, wire?.error === text ? t`Error: ${text}` : text);
}

interface SavedToggleProps {
  readonly coupon: Pick<Coupon, 'id' | 'title' | 'isSaved'>;
}

/** Saves or unsaves another user's coupon. Visitors sign in first and come back. */
export function SavedToggle({ coupon }: SavedToggleProps) {
  const { user } = useViewer();
  const asMember = useAsMember();
  const { pathname, search } = useLocation();
  const setSaved = useSetSaved({
    onSuccess: ({ isSaved }) => {
      if (isSaved) toasts.success(t`Coupon saved`, t`Find it in My Coupons, under Saved.`);
    },
    onError: showSaveFailure,
  });

  const toggle = () =>
    asMember(
      () => setSaved.mutate({ couponId: coupon.id, isSaved: !coupon.isSaved }),
      pathname + search,
      SHELL_TEXTS.requests.logInToSave(),
    );
  if (user && isRestricted(user.status)) return null;
  return (
    <ActionButton
      icon={coupon.isSaved ? IconBookmarkFilled : IconBookmark}
      label={t`Save`}
      name={t`Save ${coupon.title}`}
      hint={coupon.isSaved ? t({ context: 'coupon', message: 'Saved' }) : t`Save for later`}
      isIcon
      aria-pressed={coupon.isSaved}
      onClick={toggle}
    />
  );
}
