import { t } from '@lingui/core/macro';
import { Alert, Group, Text } from '@mantine/core';
import {
  IconCheck,
  IconCircleCheck,
  IconCircleX,
  IconHelpCircle,
  IconMinus,
  IconPlugConnectedX,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatDay } from '#contract/base/locale.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { isOffline, type ValidationDetails, type ValidationResult } from '#contract/coupons/validation.ts';
import { Facts } from '#web/components/facts.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { Surface } from '#web/components/surface.tsx';
import classes from './result-panel.module.css';
import { OUTCOME_TITLES, outcomeOf, type Sign, signsOf, sourceText, worthText } from './wording.ts';

const ICONS = { confirmed: IconCircleCheck, unconfirmed: IconHelpCircle, invalid: IconCircleX };

interface ResultPanelProps {
  readonly result: ValidationResult;
  /** Repeats merchant and code, for when the fields beside it may have changed. */
  readonly hasSubject?: boolean;
}

/** A verdict: the outcome, who gave it, what it says about the coupon, and the checks. */
export function ResultPanel({ result, hasSubject = false }: ResultPanelProps) {
  const { details, message, validatedWith } = result;
  const outcome = outcomeOf(result);
  const Icon = ICONS[outcome];
  return (
    <Surface
      component="section"
      gap={16}
      bdrs="md"
      className={`${classes.panel} ${classes[outcome]}`}
      aria-label={t`Validation result`}
    >
      <Group gap={12} wrap="nowrap" align="flex-start">
        <Icon className={classes.icon} size={28} aria-hidden="true" />
        <div>
          <p className={classes.outcome}>{OUTCOME_TITLES[outcome]}</p>
          <p className={classes.message}>{message}</p>
          <Text size="sm" c="dimmed">
            {sourceText(validatedWith)}
          </Text>
        </div>
      </Group>
      {isOffline(validatedWith) && (
        <Alert
          color="yellow"
          role="note"
          icon={<IconPlugConnectedX aria-hidden="true" />}
          title={TEXTS.validation.offlineTitle()}
        >
          {TEXTS.validation.offlineText()}
        </Alert>
      )}
      <StatedFacts details={details} hasSubject={hasSubject} />
      {details.checks.length > 0 && (
        <PlainList gap={6} fz="sm" aria-label={t`What was checked`}>
          {signsOf(details).map(({ weight, text }) => (
            <Group
              component="li"
              key={text}
              gap={8}
              wrap="nowrap"
              align="flex-start"
              className={classes.check}
            >
              {SIGN_ICONS[weight]}
              <span>{text}</span>
            </Group>
          ))}
        </PlainList>
      )}
    </Surface>
  );
}

const SIGN_ICONS: Record<Sign['weight'], ReactNode> = {
  against: <IconX className={classes.failed} size={18} role="img" aria-label={t`Failed:`} />,
  strong: <IconCheck className={classes.passed} size={18} role="img" aria-label={t`Passed:`} />,
  weak: <IconMinus size={18} role="img" aria-label={t`Inconclusive:`} />,
};

const CODE = t`Code`;

function StatedFacts({ details, hasSubject }: { details: ValidationDetails; hasSubject: boolean }) {
  const worth = worthText(details);
  const facts: readonly (readonly [string, string | null])[] = [
    [t`Merchant`, hasSubject ? details.merchantName : null],
    [CODE, hasSubject ? details.couponCode : null],
    [t`Value`, worth && (details.discountType === 'percentage' ? worth : t`${worth} (currency not stated)`)],
    [t`Expires`, details.expiryDate && formatDay(details.expiryDate)],
    [t`Requirement`, details.requirement],
    [t`Description`, details.description],
  ];
  const known = facts.filter(([, text]) => text !== null);
  if (known.length === 0) return null;
  return (
    <Facts
      className={classes.facts}
      facts={known.map(([name, text]) => ({
        name,
        value:
          name === CODE ? (
            <span className={classes.code} translate="no">
              {text}
            </span>
          ) : (
            text
          ),
      }))}
    />
  );
}
