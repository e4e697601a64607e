import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPhotoScan } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { printedText } from '#contract/coupons/read-coupons.ts';
import type { CouponFormValues } from '../coupon-form-values.ts';
import type { PictureReading } from './use-picture-reading.ts';

interface ReadingNoticeProps {
  readonly reading: PictureReading;
  readonly form: UseFormReturnType<CouponFormValues>;
}

/** Says what came of reading a picture. It takes the focus: the step before it is gone. */
export function ReadingNotice({ reading, form }: ReadingNoticeProps) {
  const { url, kind, facts } = reading;
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  const { qrCodeUrl, barcodeUrl } = form.values;
  const isKept = qrCodeUrl === url || barcodeUrl === url;
  return (
    <Alert ref={notice} tabIndex={-1} color="gray" role="status" icon={<IconPhotoScan aria-hidden="true" />}>
      {[
        textOf(reading),
        kind !== null && facts?.printedCode && printedText(facts.printedCode),
        kind === null && !facts?.printedCode && t`We found no code in the picture.`,
        kind === null && !isKept && t`If it shows one, keep the picture:`,
      ]
        .filter(Boolean)
        .join(' ')}
      {kind === null && !isKept && (
        <Group gap="xs" mt="xs">
          <Button variant="default" size="xs" onClick={() => form.setFieldValue('qrCodeUrl', url)}>
            <Trans>Keep as QR code</Trans>
          </Button>
          <Button variant="default" size="xs" onClick={() => form.setFieldValue('barcodeUrl', url)}>
            <Trans>Keep as barcode</Trans>
          </Button>
        </Group>
      )}
    </Alert>
  );
}

function textOf({ facts, isPass }: PictureReading): string {
  if (isPass) return t`We filled in what the wallet pass says. No one has verified it, so please check it.`;
  const isAnyRead =
    facts !== null && (facts.merchant ?? facts.title ?? facts.worth ?? facts.expiryDate) !== null;
  return isAnyRead
    ? t`We filled in what we could read. Please check it.`
    : t`We could not read the text of this picture. Please type it.`;
}
