import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Switch, Text } from '@mantine/core';
import type { FoundCode } from '#contract/coupons/images.ts';
import { formatName } from './wording.ts';

interface PictureCodesProps {
  readonly codes: readonly FoundCode[];
  /** The code in the form's field. */
  readonly used: string;
  readonly onUse: (code: FoundCode) => void;
  /** Whether each code is a coupon of its own. */
  readonly isSheet: boolean;
  /** Not offered where a stored coupon is edited. */
  readonly onSheet: ((isSheet: boolean) => void) | null;
}

/** The codes of a picture: the person uses one in the form, or makes a coupon of each. */
export function PictureCodes({ codes, used, onUse, isSheet, onSheet }: PictureCodesProps) {
  const waiting = codes.filter(({ text }) => text !== used).length;
  if (codes.length === 0)
    return (
      <Text size="sm" c="dimmed" mt={8}>
        <Trans>We could not read a code in this picture. It stays as it is.</Trans>
      </Text>
    );
  return (
    <>
      {onSheet && (isSheet || codes.length > 1) && (
        <Switch
          mt="sm"
          label={t`Each code is a separate coupon`}
          description={isSheet ? sheetText(waiting) : t`You then add them one after another.`}
          checked={isSheet}
          onChange={({ currentTarget }) => onSheet(currentTarget.checked)}
        />
      )}
      {codes.map((code) => (
        <Group
          key={`${code.format} ${code.text}`}
          justify="space-between"
          mt={8}
          px={12}
          py={8}
          gap="sm"
          bg="var(--surface-sunken)"
          bdrs="md"
        >
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <span style={{ fontFamily: 'ui-monospace, monospace' }}>{code.text}</span> (
            {formatName(code.format)})
          </Text>
          {used === code.text ? (
            <Text size="sm" c="dimmed">
              <Trans>In use</Trans>
            </Text>
          ) : (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t`Use this code: ${code.text}`}
              onClick={() => onUse(code)}
            >
              <Trans>Use this code</Trans>
            </Button>
          )}
        </Group>
      ))}
    </>
  );
}

function sheetText(waiting: number): string {
  return plural(waiting, {
    one: '# more code in this picture. This coupon gets its part of the picture; the next one follows once you have added it.',
    other:
      '# more codes in this picture. This coupon gets its part of the picture; the next one follows once you have added it.',
  });
}
