import { t } from '@lingui/core/macro';
import { Checkbox, Stack } from '@mantine/core';
import { useOfflineChoice } from './use-offline-choice.ts';

type Choice = ReturnType<typeof useOfflineChoice>;

/** Asks whether this device keeps the code, or all of the viewer's codes, for tills without a network. */
export function OfflineChoice({ couponId }: { couponId: number }) {
  const offline = useOfflineChoice();
  const { choice, isBusy, choose } = offline;
  const others = (choice ?? []).filter((id) => id !== couponId);
  return (
    <Stack gap="xs">
      <AllCodesChoice offline={offline} />
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
export function AllCodesChoice({ offline: { choice, isBusy, choose } }: { offline: Choice }) {
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
