import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { Surface } from '#web/components/surface.tsx';
import { guaranteeDaysNow } from '#web/money/claims/guarantee-days.ts';
import classes from './claims.module.css';

/** What is held, for how long, and what happens if the code fails. */
export function ProtectionNote({ isForSwaps }: { isForSwaps: boolean }) {
  const days = guaranteeDaysNow();
  return (
    <Surface component="section" className={classes.protection} aria-label={t`Protection`}>
      <IconShieldCheck size={24} aria-hidden="true" />
      <div>
        <Text size="sm">
          <Trans>
            If you buy, we hold the seller’s money for {HOLD_HOURS} hours. If the code does not work, tell us
            in that time: a moderator decides and can give you everything back, including your fee.
          </Trans>{' '}
          {days > 0 && (
            <Trans>
              For {days} more days you can claim: the seller refunds you, or our reserve while it has money.
            </Trans>
          )}
        </Text>
        {isForSwaps && (
          <Text size="sm" mt={6}>
            <Trans>
              After an exchange, you have {CLAIM_HOURS} hours to claim that the code does not work. A
              moderator decides. There is no guarantee after that.
            </Trans>
          </Text>
        )}
        <Anchor component={Link} to={paths.protection} size="sm" underline="always" className="target">
          <Trans>How we protect you</Trans>
        </Anchor>{' '}
        <Anchor component={Link} to={paths.risks} size="sm" underline="always" className="target">
          <Trans>What nobody can promise</Trans>
        </Anchor>
      </div>
    </Surface>
  );
}
