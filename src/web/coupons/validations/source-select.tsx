import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Select } from '@mantine/core';
import { VALIDATION_SOURCES, type ValidationSource } from '#contract/coupons/validation.ts';
import classes from './validate.module.css';
import { SOURCE_CHOICES } from './wording.ts';

interface SourceSelectProps {
  readonly value: ValidationSource;
  readonly onChange: (source: ValidationSource) => void;
}

/** Chooses who validates, in a collapsed section. */
export function SourceSelect({ value, onChange }: SourceSelectProps) {
  const chosen = SOURCE_CHOICES.find((choice) => choice.value === value);
  return (
    <details>
      <summary className={classes.summary}>
        <Trans>Options</Trans>
      </summary>
      <Select
        mt={4}
        label={t`Check with`}
        description={chosen?.text}
        allowDeselect={false}
        data={SOURCE_CHOICES}
        value={value}
        onChange={(next) => {
          const source = VALIDATION_SOURCES.find((known) => known === next);
          if (source) onChange(source);
        }}
      />
    </details>
  );
}
