import { t } from '@lingui/core/macro';
import { NativeSelect, Radio, Stack, Textarea } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { REASON_MAX } from '#contract/base/primitives.ts';

interface ChoiceFieldProps {
  readonly label: string;
  readonly options: readonly {
    readonly value: string;
    readonly label: string;
    /** The consequence of this choice. */
    readonly description: string;
    readonly isDisabled?: boolean;
  }[];
  readonly input: GetInputPropsReturnType;
}

/** A radio group; each choice states its consequence. */
export function ChoiceField({ label, options, input }: ChoiceFieldProps) {
  return (
    <Radio.Group label={label} withAsterisk {...input}>
      <Stack gap="sm" mt="xs">
        {options.map(({ isDisabled, ...option }) => (
          <Radio key={option.value} disabled={isDisabled} {...option} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

const SUSPENSIONS = [
  { value: '7', label: t`7 days` },
  { value: '30', label: t`30 days` },
  { value: '90', label: t`90 days` },
  { value: '', label: t`Until an admin lifts it` },
];

interface SuspensionFieldProps {
  /** Null: until somebody lifts it. */
  readonly days: number | null;
  readonly onChange: (days: number | null) => void;
}

/** How long a suspension lasts. */
export function SuspensionField({ days, onChange }: SuspensionFieldProps) {
  return (
    <NativeSelect
      label={t`How long`}
      data={SUSPENSIONS}
      value={days ?? ''}
      onChange={({ currentTarget: { value } }) => onChange(value === '' ? null : Number(value))}
    />
  );
}

interface ReasonFieldProps {
  readonly label: string;
  /** Says who reads the reason. */
  readonly description: string;
  readonly isRequired?: boolean;
  readonly rows?: number;
  readonly isDisabled?: boolean;
  /** Whether it has the focus when its dialog opens. */
  readonly isFirst?: boolean;
  readonly input: GetInputPropsReturnType;
}

/** The reason for a decision. */
export function ReasonField(props: ReasonFieldProps) {
  const { isRequired = true, rows = 3, isDisabled, isFirst, input, ...texts } = props;
  return (
    <Textarea
      {...texts}
      data-autofocus={isFirst || undefined}
      withAsterisk={isRequired}
      rows={rows}
      resize="vertical"
      maxLength={REASON_MAX}
      disabled={isDisabled}
      {...input}
    />
  );
}
