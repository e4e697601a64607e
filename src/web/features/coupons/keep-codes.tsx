import { Checkbox, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { writeErrorText } from '#web/lib/errors.ts';
import { chooseCodes, forgetCodes, keptChoice, refreshCodes } from '#web/lib/kept-codes.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { useCodesServer } from './use-codes-server.ts';

/** The coupons whose codes are kept; null: all, undefined: none. */
type Choice = readonly number[] | null | undefined;

/** Asks whether this device keeps the code, or all of the viewer's codes, for tills without a network. */
export function KeepCodes({ couponId }: { couponId: number }) {
  const { id: userId } = useMember();
  const server = useCodesServer();
  const [choice, setChoice] = useState<Choice>();
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    // A browser that keeps nothing has no choice yet.
    keptChoice(userId).then(setChoice, () => {});
  }, [userId]);

  const choose = async (next: Choice) => {
    setIsBusy(true);
    setChoice(next);
    try {
      if (next === undefined) await forgetCodes();
      else {
        await chooseCodes(userId, next);
        await refreshCodes(userId, server);
      }
    } catch (error) {
      setChoice(choice);
      // Nothing is half kept.
      if (choice === undefined) await forgetCodes().catch(() => {});
      toasts.failure('Codes not kept', problemOf(error));
    }
    setIsBusy(false);
  };

  const isAll = choice === null;
  const others = (choice ?? []).filter((id) => id !== couponId);
  return (
    <Stack gap="xs">
      <Checkbox
        label="Keep my codes on this device"
        description="You can then show them without a network. They are encrypted, and gone when you sign out. On a shared device, leave this off."
        checked={isAll}
        disabled={isBusy}
        onChange={({ currentTarget: { checked } }) => void choose(checked ? null : undefined)}
      />
      {!isAll && (
        <Checkbox
          label="Keep only this code"
          checked={choice?.includes(couponId) ?? false}
          disabled={isBusy}
          onChange={({ currentTarget: { checked } }) =>
            void choose(checked ? [...others, couponId] : others.length > 0 ? others : undefined)
          }
        />
      )}
    </Stack>
  );
}

function problemOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : null;
  if (name === 'QuotaExceededError') return 'This device has no room left for them.';
  if (name !== null) return 'This browser does not let us keep anything. Is the window private?';
  return writeErrorText(error, 'Please try again.');
}
