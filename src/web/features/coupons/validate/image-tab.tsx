import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCamera, IconScan } from '@tabler/icons-react';
import { useState } from 'react';
import type { ImageKind } from '#contract/images.ts';
import { TEXTS } from '#contract/texts.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import type { CameraDialog } from './camera-dialog.tsx';
import { FoundCodes, type ReadCode } from './found-codes.tsx';
import { PictureField } from './picture-field.tsx';
import { useExtractCode } from './queries.ts';
import { KIND_NAMES } from './wording.ts';

/** What has been gathered in one of the tabs. */
export interface Scan {
  /** The uploaded picture's address. */
  readonly url: string | null;
  readonly codes: readonly ReadCode[];
  readonly chosen: string | null;
}

export const NO_SCAN: Scan = { url: null, codes: [], chosen: null };

interface ImageTabProps {
  readonly kind: ImageKind;
  readonly scan: Scan;
  readonly onChange: (scan: Scan) => void;
  /** Codes were read, off the picture or by the camera. */
  readonly onRead: (scan: Scan) => void;
  readonly onValidate: (code: string) => void;
  readonly isValidating: boolean;
  /** Whether Validate is the next step; after a good verdict another one is. */
  readonly isPrimary: boolean;
}

const LABELS: Record<ImageKind, string> = { qrcode: 'QR code picture', barcode: 'Barcode picture' };
const FAIL_TEXTS: Record<ImageKind, string> = {
  qrcode: TEXTS.images.qrImageFailed,
  barcode: TEXTS.images.barcodeImageFailed,
};

/** A code off a picture or before the camera. */
export function ImageTab({
  kind,
  scan,
  onChange,
  onRead,
  onValidate,
  isValidating,
  isPrimary,
}: ImageTabProps) {
  const extract = useExtractCode();
  const camera = useCameraDialog();

  const read = async () => {
    if (scan.url === null) {
      toasts.failure(TEXTS.images.extractionFailedTitle, TEXTS.validation.noImage);
      return;
    }
    try {
      const { codeValue, codes } = await extract.mutateAsync({ imageUrl: scan.url, imageType: kind });
      if (codeValue === null) {
        toasts.failure(TEXTS.images.extractionFailedTitle, TEXTS.validation.noCode(KIND_NAMES[kind]));
      } else {
        onRead({ url: scan.url, codes, chosen: codeValue });
      }
    } catch (error) {
      const text = writeErrorText(error, TEXTS.validation.noCode(KIND_NAMES[kind]));
      toasts.failure(TEXTS.images.extractionFailedTitle, text);
    }
  };
  const validate = () => {
    if (scan.chosen !== null) onValidate(scan.chosen);
    else if (scan.url !== null) void read();
    else toasts.failure(TEXTS.validation.errorTitle, TEXTS.validation.imageRequired);
  };
  const see = (codes: readonly ReadCode[]) => {
    camera.close();
    // A picture uploaded before is not of this code, for all that is known.
    onRead({ url: null, codes, chosen: codes[0]?.text ?? null });
  };

  return (
    <Stack>
      <PictureField
        kind={kind}
        label={LABELS[kind]}
        url={scan.url}
        failText={FAIL_TEXTS[kind]}
        onUploaded={(url) => onChange({ ...NO_SCAN, url })}
        onRemove={() => onChange(NO_SCAN)}
        actions={
          'mediaDevices' in navigator && (
            <Button
              variant="default"
              leftSection={<IconCamera size={18} aria-hidden="true" />}
              onClick={camera.open}
              loading={camera.isLoading}
            >
              Scan with camera
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
          Extract Code
        </Button>
        <Button
          variant={isPrimary ? 'filled' : 'default'}
          onClick={validate}
          loading={isValidating}
          disabled={extract.isPending}
        >
          Validate
        </Button>
      </Group>
      {camera.Dialog && <camera.Dialog opened={camera.isOpen} onRead={see} onClose={camera.close} />}
    </Stack>
  );
}

/** The camera's dialog; its code, and the decoder of a megabyte behind it, come for those alone who scan. */
function useCameraDialog() {
  const [Dialog, setDialog] = useState<typeof CameraDialog | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const [isOpen, { open, close }] = useDisclosure(false);
  const load = async () => {
    setIsLoading(true);
    try {
      const loaded = await import('./camera-dialog.tsx');
      setDialog(() => loaded.CameraDialog);
      open();
    } catch {
      toasts.failure('The scanner could not be loaded', TEXTS.requests.network);
    } finally {
      setIsLoading(false);
    }
  };
  return { Dialog, isOpen, isLoading, open: load, close };
}
