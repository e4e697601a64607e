import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertCircle, IconCrop, IconRestore, IconSquareFilled } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type PercentCrop, ReactCrop } from 'react-image-crop';
import 'react-image-crop/dist/ReactCrop.css';
import { writeErrorText } from '#web/lib/errors.ts';
import { cropped, openPicture, toFile, toUrl, withCover } from '#web/lib/picture-canvas.ts';
import { type UploadKind, uploadImage } from '#web/lib/upload.ts';
import { Dialog, DialogFooter } from './dialog.tsx';
import classes from './picture-editor.module.css';

interface PictureEditorProps {
  readonly file: File;
  readonly kind: UploadKind;
  readonly onUploaded: (url: string) => void;
  readonly onClose: () => void;
}

/** The selection at first, in per cent. Arrow keys move it and its corners. */
const MIDDLE: PercentCrop = { unit: '%', x: 25, y: 25, width: 50, height: 50 };

/** Cuts a picture and covers parts of it, then uploads it. A refused one stays here to be covered. */
export function Component({ file, kind, onUploaded, onClose }: PictureEditorProps) {
  const { picture, url, setPicture, startOver, problem } = useEdited(file);
  const [selection, setSelection] = useState<PercentCrop>(MIDDLE);
  const [isSending, setIsSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const sending = useRef<AbortController>(null);
  useEffect(() => () => sending.current?.abort(), []);
  const isEmpty = selection.width === 0 || selection.height === 0;
  const change = (edit: typeof cropped) => {
    if (picture) setPicture(edit(picture, selection));
    setSelection(MIDDLE);
    setRefusal(null);
  };

  const send = async () => {
    if (!picture) return;
    const run = new AbortController();
    sending.current = run;
    setIsSending(true);
    setRefusal(null);
    try {
      const { url } = await uploadImage(kind, await toFile(picture), { signal: run.signal });
      onUploaded(url);
      onClose();
    } catch (error) {
      if (run.signal.aborted) return;
      setRefusal(writeErrorText(error, t`This picture could not be uploaded. Please try again.`));
      setIsSending(false);
    }
  };

  return (
    <Dialog title={t`Crop or cover`} size="lg" isPending={isSending}>
      <Stack>
        <Text size="sm">
          <Trans>
            Everyone can see this picture. Select an area with the mouse, a finger or the arrow keys, then
            crop to it or cover it.
          </Trans>
        </Text>
        {problem && <Text role="alert">{problem}</Text>}
        {url && (
          <ReactCrop
            className={classes.crop}
            crop={selection}
            aspect={kind === 'profile-picture' ? 1 : undefined}
            onChange={(_, percent) => setSelection(percent)}
          >
            <img className={classes.picture} src={url} alt={t`Preview`} />
          </ReactCrop>
        )}
        <Group gap="sm">
          <Button
            variant="default"
            leftSection={<IconCrop size={18} aria-hidden="true" />}
            disabled={!picture || isEmpty}
            onClick={() => change(cropped)}
          >
            <Trans>Crop to selection</Trans>
          </Button>
          <Button
            variant="default"
            leftSection={<IconSquareFilled size={18} aria-hidden="true" />}
            disabled={!picture || isEmpty}
            onClick={() => change(withCover)}
          >
            <Trans>Cover selection</Trans>
          </Button>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconRestore size={18} aria-hidden="true" />}
            disabled={!picture}
            onClick={() => {
              startOver();
              setRefusal(null);
            }}
          >
            <Trans>Start over</Trans>
          </Button>
        </Group>
        {refusal !== null && (
          <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden="true" />}>
            {refusal}
          </Alert>
        )}
        <DialogFooter>
          <Button onClick={send} loading={isSending} disabled={!picture}>
            <Trans>Use this picture</Trans>
          </Button>
        </DialogFooter>
      </Stack>
    </Dialog>
  );
}

/** The picture of a file with the edits so far. */
function useEdited(file: File) {
  const [picture, setPicture] = useState<HTMLCanvasElement | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const startOver = useCallback(() => {
    openPicture(file).then(setPicture, () =>
      setProblem(t`We cannot open this picture here. Choose a JPEG, PNG, WebP, GIF or AVIF picture.`),
    );
  }, [file]);
  useEffect(startOver, [startOver]);
  return { picture, url: picture && toUrl(picture), setPicture, startOver, problem };
}
