import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import { Surface } from '#web/components/surface.tsx';
import { moneyBack } from '#web/deals/core/cover-words.ts';
import classes from './claims.module.css';

/** What is held, for how long, and what happens if the code fails. */
export function ProtectionNote({ isForSwaps }: { isForSwaps: boolean }) {
  return (
    <Surface component="section" className={classes.protection} aria-label={t`Protection`}>
      <IconShieldCheck size={24} aria-hidden="true" />
      <div>
        <Text size="sm">{moneyBack(true)}</Text>
        {isForSwaps && (
          <Text size="sm" mt={6}>
            <Trans>
              After an exchange, you have {CLAIM_HOURS} hours to claim that the code does not work. A
              moderator decides. There is no guarantee after that, but you can ask for a deposit: who gave a
              code that fails loses it to the other.
            </Trans>
          </Text>
        )}
        <Anchor component={Link} to={paths.protection} size="sm" underline="always" className="target">
          <Trans>How we protect you</Trans>
        </Anchor>
      </div>
    </Surface>
  );
}
