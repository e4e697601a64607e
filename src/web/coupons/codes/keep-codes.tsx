import { t } from '@lingui/core/macro';
import { Checkbox, Stack } from '@mantine/core';
import { useKeptChoice } from './use-kept-choice.ts';

type Kept = ReturnType<typeof useKeptChoice>;

/** Asks whether this device keeps the code, or all of the viewer's codes, for tills without a network. */
export function KeepCodes({ couponId }: { couponId: number }) {
  const kept = useKeptChoice();
  const { choice, isBusy, choose } = kept;
  const others = (choice ?? []).filter((id) => id !== couponId);
  return (
    <Stack gap="xs">
      <KeepAll kept={kept} />
      {choice !== null && (
        <Checkbox
          label={t`Keep only this code`}
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

/** Asks whether this device keeps all of the viewer's codes. */
export function KeepAll({ kept: { choice, isBusy, choose } }: { kept: Kept }) {
  return (
    <Checkbox
      label={t`Keep my codes on this device`}
      description={t`You can then show them without a network. They are encrypted, and gone when you sign out. On a shared device, leave this off.`}
      checked={choice === null}
      disabled={isBusy}
      onChange={({ currentTarget: { checked } }) => void choose(checked ? null : undefined)}
    />
  );
}
