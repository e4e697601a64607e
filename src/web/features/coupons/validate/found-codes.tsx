import { Radio, Stack, Text } from '@mantine/core';
import classes from './coupon-validator.module.css';
import { formatName } from './wording.ts';

/** A code that a picture or the camera showed. */
export interface ReadCode {
  readonly text: string;
  readonly format: string;
}

interface FoundCodesProps {
  readonly codes: readonly ReadCode[];
  readonly chosen: string | null;
  readonly onChoose: (text: string) => void;
}

/** The code that was read; of several, which one is meant. */
export function FoundCodes({ codes, chosen, onChoose }: FoundCodesProps) {
  const [only, ...others] = codes;
  if (!only) return null;
  if (others.length === 0) {
    return (
      <div className={classes.found}>
        <Text size="sm" fw={500} id="found-code">
          Code found
        </Text>
        <output className={classes.code} aria-labelledby="found-code">
          {only.text}
        </output>
        <Text size="sm" c="dimmed">
          {formatName(only.format)}
        </Text>
      </div>
    );
  }
  return (
    <Radio.Group
      label={`${codes.length} codes found`}
      description="Choose the one to check, then press Validate."
      value={chosen}
      onChange={onChoose}
    >
      <Stack gap="xs" mt="xs">
        {codes.map(({ text, format }) => (
          <Radio
            key={`${format} ${text}`}
            value={text}
            label={<span className={classes.choice}>{text}</span>}
            description={formatName(format)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
