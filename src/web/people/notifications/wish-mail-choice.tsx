import { t } from '@lingui/core/macro';
import { Checkbox } from '@mantine/core';
import type { NotificationPreference } from '#contract/people/notifications.ts';

interface WishMailChoiceProps {
  /** That of wishes. */
  readonly preference: NotificationPreference;
  readonly onChange: (preference: NotificationPreference) => void;
}

/** Whether each coupon for a wish is mailed at once; otherwise they come together, once a day. */
export function WishMailChoice({ preference, onChange }: WishMailChoiceProps) {
  return (
    <Checkbox
      mt={8}
      label={t`Email me at once about each coupon, not once a day`}
      checked={preference.daily === false}
      onChange={({ currentTarget }) => onChange({ ...preference, daily: !currentTarget.checked })}
    />
  );
}
