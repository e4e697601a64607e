import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconKeyboard, IconMail, IconScan, IconTable } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { StatedFacts } from '#contract/coupons/images.ts';
import { PictureField } from '#web/components/picture-field.tsx';
import type { SeenCode } from '#web/coupons/core/code-reader.ts';
import { handOver } from '#web/coupons/form/scanned-codes.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { pageConfig } from '#web/lib/page-config.ts';
import { NOTHING_SHARED } from '#web/lib/shared.ts';
import classes from './reading.module.css';
import { type PictureReading, usePictureReading } from './use-picture-reading.ts';

interface FirstStepProps {
  /** A file to read at once; null where it was expected and has not come. */
  readonly shared?: File | null | undefined;
  readonly onRead: (reading: PictureReading) => void;
  /** Goes on to the form; missing where the form is below it. */
  readonly onType?: () => void;
  /** Takes a code that was scanned. */
  readonly onScanned: (code: string) => void;
}

/** How a new coupon begins: with a picture that is read, with codes that are scanned, or by typing. */
export function FirstStep({ shared, onRead, onType, onScanned }: FirstStepProps) {
  const read = usePictureReading();
  const [isReading, setIsReading] = useState(false);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const take = async (url: string, facts?: StatedFacts) => {
    setIsReading(true);
    const reading = await read(url, facts);
    if (!isLeft.current) onRead(reading);
  };
  const navigate = useNavigate();
  const takeScans = (codes: readonly SeenCode[]) => {
    const [only, ...others] = codes.map(({ text }) => text);
    if (only !== undefined && others.length === 0) return onScanned(only);
    handOver(codes.map(({ text }) => text));
    void navigate(paths.addManyScanned);
  };
  return (
    <Stack gap={onType ? 'lg' : 'xs'} className={onType && classes.alone}>
      {onType && (
        <Text>
          <Trans>
            Take a photo of your coupon, or choose a file. We read it and fill in the form; you check it. Or
            fill in the form yourself.
          </Trans>
        </Text>
      )}
      {isReading ? (
        <div className={classes.reading} role="status">
          <Loader size="sm" />
          <Text>
            <Trans>Reading your coupon…</Trans>
          </Text>
        </div>
      ) : (
        <PictureField
          kind="qrcode"
          label={t`Picture of the coupon`}
          description={
            onType
              ? t`Also a PDF or a wallet pass. Only you can see it, and later the new owner.`
              : t`Optional. We read it and fill in the form; you check it. Also a PDF or a wallet pass. Only you can see it, and later the new owner.`
          }
          url={null}
          error={shared === null && NOTHING_SHARED}
          given={shared}
          failText={t`We could not upload this picture. Please try again.`}
          onUploaded={take}
          onRemove={() => undefined}
          hasCamera
          isPasted
          isMain={onType !== undefined}
        />
      )}
      <Group justify={onType && 'center'}>
        {onType && (
          <Button
            variant="default"
            leftSection={<IconKeyboard size={18} aria-hidden="true" />}
            onClick={onType}
          >
            <Trans>Fill in the form yourself</Trans>
          </Button>
        )}
        {'mediaDevices' in navigator && (
          <Button
            variant="subtle"
            leftSection={<IconScan size={18} aria-hidden="true" />}
            onClick={() => openDialog('scanCodes', { onDone: takeScans })}
          >
            <Trans>Scan codes</Trans>
          </Button>
        )}
        <Button
          component={Link}
          to={paths.addMany}
          variant="subtle"
          leftSection={<IconTable size={18} aria-hidden="true" />}
        >
          <Trans>Add many at once</Trans>
        </Button>
        {pageConfig.takesMail() && (
          <Button
            component={Link}
            to={paths.addMany}
            variant="subtle"
            leftSection={<IconMail size={18} aria-hidden="true" />}
          >
            <Trans>Forward by email</Trans>
          </Button>
        )}
      </Group>
    </Stack>
  );
}
