import { t } from '@lingui/core/macro';
import { Alert } from '@mantine/core';
import { IconPhotoScan } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { printedText } from '#contract/coupons/read-coupons.ts';
import type { PictureReading } from './use-picture-reading.ts';

/** Says what came of reading a picture. It takes the focus: the step before it is gone. */
export function ReadingNotice({ reading }: { reading: PictureReading }) {
  const { kind, facts } = reading;
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <Alert ref={notice} tabIndex={-1} color="gray" role="status" icon={<IconPhotoScan aria-hidden="true" />}>
      {[
        textOf(reading),
        kind !== null && facts?.printedCode && printedText(facts.printedCode),
        kind === null &&
          !facts?.printedCode &&
          t`We found no code in the picture. Remove it below if it shows none.`,
      ]
        .filter(Boolean)
        .join(' ')}
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
