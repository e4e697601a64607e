import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, FileButton, Group, Input, Progress, Text } from '@mantine/core';
import { IconPhotoUp } from '@tabler/icons-react';
import {
  type CSSProperties,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { TEXTS } from '#contract/base/texts.ts';
import { MAX_IMAGE_BYTES, type StatedFacts } from '#contract/coupons/images.ts';
import { pictureSources } from '#contract/people/picture-addresses.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { useIsPhone } from '#web/lib/screen.ts';
import { toasts } from '#web/lib/toasts.ts';
import {
  ACCEPTED,
  imageProblem,
  isOfCode,
  sizeProblem,
  type UploadKind,
  uploadImage,
} from '#web/lib/upload.ts';
import { DropZone } from './drop-zone.tsx';
import classes from './picture-field.module.css';

interface PictureFieldProps {
  readonly kind: UploadKind;
  readonly label: string;
  readonly description?: string;
  /** The address of the uploaded picture, or null. */
  readonly url: string | null;
  /** Shown while there is no picture. */
  readonly placeholder?: ReactNode;
  readonly error?: ReactNode;
  /** Shown for a failed upload without a message of its own. */
  readonly failText: string;
  /** `facts`: what a wallet pass says. */
  readonly onUploaded: (url: string, facts?: StatedFacts) => void;
  /** A file that is here already: it is uploaded like a chosen one. */
  readonly given?: File | null | undefined;
  /** Called with a chosen, dropped or pasted file in place of its upload. */
  readonly onChosen?: (file: File) => void;
  readonly onRemove: () => void;
  /** Of several pictures: those that are here already. `url` is null then. */
  readonly added?: ReactNode;
  /** Whether no more can be added. */
  readonly isFull?: boolean;
  /** Whether phones offer to take a photo at once. */
  readonly hasCamera?: boolean;
  /** Whether it takes a picture that is pasted anywhere on the page; so does every field with `onChosen`. */
  readonly isPasted?: boolean;
  /** Whether choosing a picture is the screen's main act. */
  readonly isMain?: boolean;
  /** Called when an upload starts or ends. */
  readonly onBusy?: (isBusy: boolean) => void;
  /** More buttons beside the one that chooses a picture. */
  readonly actions?: ReactNode;
}

const FORMATS = {
  code: t`JPEG, PNG, WebP, GIF, AVIF, HEIC, PDF or a wallet pass`,
  public: t`JPEG, PNG, WebP, GIF or AVIF`,
};

/** In pixels. */
const SHOWN_HEIGHT = 220;

/** The space for a picture before it is loaded; the addresses of private ones do not tell their size. */
function roomOf(url: string): CSSProperties {
  const size = pictureSources(url);
  return size
    ? { aspectRatio: `${size.width} / ${size.height}`, height: Math.min(SHOWN_HEIGHT, size.height) }
    : { width: '100%', height: SHOWN_HEIGHT };
}

/** Uploads a picture, chosen or dropped; shows, replaces and removes it. */
export function PictureField(props: PictureFieldProps) {
  const { kind, label, description, url, placeholder, error, onChosen, onRemove, actions } = props;
  const { added, isFull = false, hasCamera = false, isPasted = false, isMain = false, onBusy } = props;
  const { share, problem, upload, cancel } = usePictureUpload(props);
  usePaste(onChosen || isPasted ? upload : undefined);
  useGiven(props.given, upload);
  const isBusy = share !== null;
  useEffect(() => onBusy?.(isBusy), [isBusy, onBusy]);
  const isPhone = useIsPhone();
  const errorId = useId();
  const forgetFile = useRef<() => void>(null);
  const forgetPhoto = useRef<() => void>(null);
  const shownError = problem ?? error;

  const choose = (file: File | null) => {
    // Otherwise choosing the same file again would fire no change event.
    forgetFile.current?.();
    forgetPhoto.current?.();
    if (file) void upload(file);
  };
  const drop = ([file]: readonly File[]) => {
    if (file && !isFull) void upload(file);
  };

  return (
    <fieldset aria-describedby={shownError ? errorId : undefined}>
      <legend className={classes.pictureLabel}>{label}</legend>
      {description && <Input.Description mb={6}>{description}</Input.Description>}
      <DropZone onFiles={drop}>
        {added}
        {share !== null && <Uploading share={share} />}
        {share === null && url !== null && (
          <img
            className={classes.picture}
            data-code={isOfCode(kind) || undefined}
            style={roomOf(url)}
            src={url}
            alt={t`Uploaded: ${label}`}
          />
        )}
        {share === null &&
          url === null &&
          !added &&
          (placeholder ?? (
            <Text size="sm" c="dimmed" className={classes.hint}>
              <IconPhotoUp size={28} aria-hidden="true" />
              <span>
                {isPasted
                  ? t`Drop or paste a picture here, or choose one.`
                  : t`Drop a picture here, or choose one.`}{' '}
                <Trans>
                  {FORMATS[isOfCode(kind) ? 'code' : 'public']}, up to {MAX_IMAGE_BYTES / MEGABYTE} MB.
                </Trans>
              </span>
            </Text>
          ))}
        <Group gap="sm" justify="center">
          {share !== null ? (
            <Button variant="default" onClick={cancel}>
              <Trans>Cancel upload</Trans>
            </Button>
          ) : isFull ? null : (
            <FileButton
              accept={ACCEPTED[isOfCode(kind) ? 'code' : 'public']}
              resetRef={forgetFile}
              onChange={choose}
              inputProps={{ 'aria-label': t`${label}: file` }}
            >
              {(button) => (
                <Button variant={isMain && !(hasCamera && isPhone) ? 'filled' : 'default'} {...button}>
                  {added ? t`Add another` : url === null && !placeholder ? t`Choose picture` : t`Replace`}
                </Button>
              )}
            </FileButton>
          )}
          {share === null && hasCamera && isPhone && !isFull && (
            <FileButton
              accept={ACCEPTED.public}
              capture="environment"
              resetRef={forgetPhoto}
              onChange={choose}
              inputProps={{ 'aria-label': t`${label}: photo` }}
            >
              {(button) => (
                <Button variant={isMain ? 'filled' : 'default'} {...button}>
                  <Trans>Take a photo</Trans>
                </Button>
              )}
            </FileButton>
          )}
          {share === null && url !== null && (
            <Button variant="subtle" color="gray" onClick={onRemove}>
              <Trans>Remove</Trans>
            </Button>
          )}
          {share === null && actions}
        </Group>
      </DropZone>
      {shownError && (
        <Input.Error id={errorId} mt={6} role="alert">
          {shownError}
        </Input.Error>
      )}
    </fieldset>
  );
}

const WHOLE = 100;
const MEGABYTE = 1024 * 1024;

function Uploading({ share }: { share: number }) {
  // All bytes are sent; the server decodes the picture now.
  const text = share < 1 ? t`Uploading…` : t`Reading the picture…`;
  return (
    <Box w="min(100%, 20rem)">
      <Text size="sm" mb={6} role="status">
        {text}
      </Text>
      <Progress.Root size="md">
        <Progress.Section value={Math.round(share * WHOLE)} aria-label={t`Upload`} animated={share === 1} />
      </Progress.Root>
    </Box>
  );
}

/** Takes a file that was here before the field. */
function useGiven(file: File | null | undefined, take: (file: File) => unknown) {
  const start = useEffectEvent(take);
  useEffect(() => {
    if (file) start(file);
  }, [file]);
}

/** Takes pictures that are pasted anywhere on the page. */
function usePaste(take: ((file: File) => void) | undefined) {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const file = event.clipboardData?.files.item(0);
    // The first field of a page takes it.
    if (event.defaultPrevented || !take || !file?.type.startsWith('image/')) return;
    event.preventDefault();
    take(file);
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => paste(event);
    document.addEventListener('paste', listener);
    return () => document.removeEventListener('paste', listener);
  }, []);
}

interface UploadState {
  /** The uploaded part, from 0 to 1; null when nothing is being uploaded. */
  readonly share: number | null;
  /** Why the last file was refused. */
  readonly problem: string | null;
}

const IDLE: UploadState = { share: null, problem: null };

/** Uploads one picture at a time. A new upload, or leaving the page, aborts the last one. */
function usePictureUpload({ kind, failText, onUploaded, onChosen }: PictureFieldProps) {
  const [state, setState] = useState(IDLE);
  const current = useRef<AbortController>(null);
  const stop = useCallback(() => current.current?.abort(), []);
  useEffect(() => stop, [stop]);

  const fail = (problem: string) => {
    setState({ share: null, problem });
    toasts.failure(TEXTS.images.uploadFailedTitle(), problem);
  };
  const upload = async (file: File) => {
    stop();
    const problem = imageProblem(kind, file) ?? (onChosen ? sizeProblem(file) : null);
    if (problem !== null) return fail(problem);
    if (onChosen) {
      setState(IDLE);
      return onChosen(file);
    }
    const run = new AbortController();
    current.current = run;
    setState({ share: 0, problem: null });
    try {
      const onProgress = (share: number) => setState({ share, problem: null });
      const { reducedPhoto } = await import('#web/lib/picture-canvas.ts');
      const sent = await reducedPhoto(file);
      if (run.signal.aborted) return;
      const tooLarge = sizeProblem(sent);
      if (tooLarge !== null) return fail(tooLarge);
      const { url, facts } = await uploadImage(kind, sent, { onProgress, signal: run.signal });
      setState(IDLE);
      onUploaded(url, facts);
    } catch (error) {
      if (!run.signal.aborted) fail(writeErrorText(error, failText));
    }
  };
  const cancel = () => {
    stop();
    setState(IDLE);
  };
  return { ...state, upload, cancel };
}
