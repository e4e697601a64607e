import { plural } from '@lingui/core/macro';
import { Anchor, Text, Title } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { type Merchant, WISHES_MAX } from '#contract/coupons/merchants.ts';
import { stubColor } from '#contract/coupons/stub-colors.ts';
import { Surface } from '#web/components/surface.tsx';
import { feedbackText } from '#web/coupons/health/code-feedback.tsx';
import { useNow } from '#web/lib/time-ago.ts';
import classes from './merchant-head.module.css';

interface MerchantHeadProps {
  readonly merchant: Merchant;
  readonly alertButton: ReactNode;
  /** More about its codes. */
  readonly children?: ReactNode;
}

/** The top of a merchant's page: who looks for it, its public codes, and whether they work. */
export function MerchantHead({ merchant, alertButton, children }: MerchantHeadProps) {
  const { name, publicCodes, wishes, feedback } = merchant;
  const worked = feedbackText({ ...feedback, own: null }, useNow());
  return (
    <Surface className={classes.head} style={{ '--stub-color': stubColor(name) } as CSSProperties}>
      <div className={classes.words}>
        <Title order={1} fz={{ base: 'title', sm: 'display' }}>
          {name}
        </Title>
        {wishes > 0 && (
          <Text>
            {wishes < WISHES_MAX
              ? plural(wishes, {
                  one: '# person looks for its coupons.',
                  other: '# people look for its coupons.',
                })
              : plural(wishes, {
                  one: '#+ people look for its coupons.',
                  other: '#+ people look for its coupons.',
                })}
          </Text>
        )}
        {publicCodes > 0 && (
          <Text>
            <Anchor component={Link} to={paths.publicCodes(name)} inherit underline="always">
              {plural(publicCodes, { one: 'See # public code', other: 'See # public codes' })}
            </Anchor>
          </Text>
        )}
        {worked && <Text size="sm">{worked}</Text>}
        {children}
      </div>
      {alertButton}
    </Surface>
  );
}
