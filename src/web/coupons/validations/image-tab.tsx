import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { IconCamera, IconScan } from '@tabler/icons-react';
import { TEXTS } from '#contract/base/texts.ts';
import type { ImageKind, StatedFacts } from '#contract/coupons/images.ts';
import { PictureField } from '#web/components/picture-field.tsx';
import type { SeenCode } from '#web/coupons/core/code-reader.ts';
import { useExtractCode } from '#web/coupons/core/queries.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { toasts } from '#web/lib/toasts.ts';
import { NO_SCAN, type Scan, scanOf } from './use-validator.ts';
import classes from './validate.module.css';
import { formatName } from './wording.ts';

interface ImageTabProps {
  readonly kind: ImageKind;
  readonly scan: Scan;
  readonly onChange: (scan: Scan) => void;
  /** A wallet pass was uploaded. */
  readonly onFacts: (facts: StatedFacts) => void;
  /** Codes were read from the picture or by the camera. */
  readonly onRead: (scan: Scan) => void;
  readonly onValidate: (code: string) => void;
  readonly isValidating: boolean;
  /** Whether Validate is the main action; not after a valid verdict. */
  readonly isPrimary: boolean;
}

const LABELS: Record<ImageKind, string> = { qrcode: t`QR code picture`, barcode: t`Barcode picture` };
const FAIL_TEXTS: Record<ImageKind, string> = {
  qrcode: TEXTS.images.qrImageFailed(),
  barcode: TEXTS.images.barcodeImageFailed(),
};

/** Reads a code from a picture or with the camera, and validates it. */
export function ImageTab({
  kind,
  scan,
  onChange,
  onFacts,
  onRead,
  onValidate,
  isValidating,
  isPrimary,
}: ImageTabProps) {
  const extract = useExtractCode();

  const read = async () => {
    if (scan.url === null) {
      toasts.failure(TEXTS.images.extractionFailedTitle(), TEXTS.validation.noImage());
      return;
    }
    try {
      const { codeValue, codes } = await extract.mutateAsync({ imageUrl: scan.url, imageType: kind });
      if (codeValue === null) {
        toasts.failure(TEXTS.images.extractionFailedTitle(), TEXTS.validation.noCode(kind));
      } else {
        onRead({ url: scan.url, codes, chosen: codeValue });
      }
    } catch (error) {
      const text = writeErrorText(error, TEXTS.validation.noCode(kind));
      toasts.failure(TEXTS.images.extractionFailedTitle(), text);
    }
  };
  const validate = () => {
    if (scan.chosen !== null) onValidate(scan.chosen);
    else if (scan.url !== null) void read();
    else toasts.failure(TEXTS.validation.errorTitle(), TEXTS.validation.imageRequired());
  };

  return (
    <Stack>
      <PictureField
        kind={kind}
        label={LABELS[kind]}
        url={scan.url}
        failText={FAIL_TEXTS[kind]}
        onUploaded={(url, facts) => {
          onChange({ ...NO_SCAN, url });
          if (facts) onFacts(facts);
        }}
        onRemove={() => onChange(NO_SCAN)}
        actions={
          'mediaDevices' in navigator && (
            <Button
              variant="default"
              leftSection={<IconCamera size={18} aria-hidden="true" />}
              onClick={() => openDialog('camera', { onRead: (codes) => onRead(scanOf(codes)) })}
            >
              <Trans>Scan with camera</Trans>
            </Button>
          )
        }
      />
      <div aria-live="polite">
        <FoundCodes
          codes={scan.codes}
          chosen={scan.chosen}
          onChoose={(chosen) => onChange({ ...scan, chosen })}
        />
      </div>
      <Group grow>
        <Button
          variant="default"
          leftSection={<IconScan size={18} aria-hidden="true" />}
          onClick={read}
          loading={extract.isPending}
        >
          <Trans>Extract code</Trans>
        </Button>
        <Button
          variant={isPrimary ? 'filled' : 'default'}
          onClick={validate}
          loading={isValidating}
          disabled={extract.isPending}
        >
          <Trans>Validate</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

interface FoundCodesProps {
  readonly codes: readonly SeenCode[];
  readonly chosen: string | null;
  readonly onChoose: (text: string) => void;
}

/** The code that was read; several codes to choose from. */
function FoundCodes({ codes, chosen, onChoose }: FoundCodesProps) {
  const [only, ...others] = codes;
  if (!only) return null;
  if (others.length === 0) {
    return (
      <Stack gap={2} px={16} py={12} bg="var(--surface-sunken)" bdrs="md">
        <Text size="sm" fw={500} id="found-code">
          <Trans>Code found</Trans>
        </Text>
        <output className={classes.code} aria-labelledby="found-code" translate="no">
          {only.text}
        </output>
        <Text size="sm" c="dimmed">
          {formatName(only.format)}
        </Text>
      </Stack>
    );
  }
  return (
    <Radio.Group
      label={t`${codes.length} codes found`}
      description={t`Choose the one to check, then press Validate.`}
      value={chosen}
      onChange={onChoose}
    >
      <Stack gap="xs" mt="xs">
        {codes.map(({ text, format }) => (
          <Radio
            key={`${format} ${text}`}
            value={text}
            label={
              <span className={classes.choice} translate="no">
                {text}
              </span>
            }
            description={formatName(format)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
