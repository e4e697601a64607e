import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { CouponHealth, HealthReason } from '#contract/coupons/health.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { type Tone, ToneBadge } from '#web/components/status-badge.tsx';
import classes from './health-figure.module.css';

/** What a figure means, from the highest down. */
const MEANINGS: readonly (readonly [from: number, tone: Tone, words: string])[] = [
  [80, 'success', t`Very likely to work`],
  [60, 'success', t`Likely to work`],
  [35, 'warning', t`Hard to say`],
  [0, 'danger', t`Doubtful`],
];

/** '85 of 100', and what that means in words. */
export function HealthLine({ health }: { health: number }) {
  const [, tone, words] = MEANINGS.find(([from]) => health >= from) ?? [0, 'neutral' as const, ''];
  return (
    <Text component="span" className={classes.line}>
      <Text component="span" inherit fw={700}>
        <Trans>{health} of 100</Trans>
      </Text>
      <ToneBadge tone={tone}>{words}</ToneBadge>
    </Text>
  );
}

/** The figure of a code and its reasons. */
export function HealthFigure({ health, reasons }: Pick<CouponHealth, 'health' | 'reasons'>) {
  if (health === null) return null;
  return (
    <>
      <HealthLine health={health} />
      <PlainList className={classes.reasons}>
        {reasons.map((reason) => (
          <li key={reason.kind}>
            {AGAINST.includes(reason.kind) ? (
              <IconAlertTriangle size={16} aria-hidden="true" className={classes.against} />
            ) : (
              <IconCheck size={16} aria-hidden="true" className={classes.for} />
            )}
            <span>{reasonText(reason)}</span>
          </li>
        ))}
      </PlainList>
      <Text size="sm" c="dimmed">
        <Trans>A careful estimate from what we know today. It is no promise.</Trans>
      </Text>
    </>
  );
}

const AGAINST: readonly HealthReason['kind'][] = ['refused', 'failed', 'claimsLost', 'old'];

function reasonText(reason: HealthReason): string {
  switch (reason.kind) {
    case 'confirmed':
      return reason.days === 0
        ? t`The merchant confirmed the code today.`
        : plural(reason.days, {
            one: 'The merchant confirmed the code # day ago.',
            other: 'The merchant confirmed the code # days ago.',
          });
    case 'refused':
      return reason.days === 0
        ? t`The merchant refused the code today.`
        : plural(reason.days, {
            one: 'The merchant refused the code # day ago.',
            other: 'The merchant refused the code # days ago.',
          });
    case 'reissued':
      return t`The merchant made this code new for its owner: nobody else has seen it.`;
    case 'worked':
      return plural(reason.people, {
        one: 'It worked for # earlier owner.',
        other: 'It worked for # earlier owners.',
      });
    case 'failed':
      return plural(reason.people, {
        one: 'It did not work for # earlier owner.',
        other: 'It did not work for # earlier owners.',
      });
    case 'claimsLost':
      return plural(reason.claims, {
        one: 'Its owner gave # code before that did not work.',
        other: 'Its owner gave # codes before that did not work.',
      });
    case 'deals':
      return plural(reason.people, {
        one: 'Its owner has completed deals with # person.',
        other: 'Its owner has completed deals with # people.',
      });
    case 'old':
      return plural(reason.days, {
        one: 'It has been listed for # day, and nobody has said lately that it works.',
        other: 'It has been listed for # days, and nobody has said lately that it works.',
      });
  }
}
