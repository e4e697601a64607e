import { Button, FileButton, Group, Input, Progress, Text } from '@mantine/core';
import { IconPhotoUp } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { type ImageKind, MAX_IMAGE_BYTES } from '#contract/images.ts';
import classes from './picture-field.module.css';
import { usePictureUpload } from './use-picture-upload.ts';

interface PictureFieldProps {
  readonly kind: ImageKind;
  readonly label: string;
  readonly description?: string;
  /** The uploaded picture's address; null while there is none. */
  readonly url: string | null;
  /** What stands in the picture's place while there is none. */
  readonly placeholder?: ReactNode;
  readonly error?: ReactNode;
  /** What is said of an upload that fails without words of its own. */
  readonly failText: string;
  readonly onUploaded: (url: string) => void;
  readonly onRemove: () => void;
  /** Other ways to a code, beside the button that chooses a picture. */
  readonly actions?: ReactNode;
}

/** A picture of a code: chosen or dropped, uploaded at once, shown, replaced, taken away. */
export function PictureField(props: PictureFieldProps) {
  const { kind, label, description, url, placeholder, error, failText, onUploaded, onRemove, actions } =
    props;
  const { share, problem, upload, cancel } = usePictureUpload(kind, failText, onUploaded);
  const [isOver, setIsOver] = useState(false);
  const errorId = useId();
  const forgetFile = useRef<() => void>(null);
  const shownError = problem ?? error;

  const choose = (file: File | null) => {
    // Or the same file, chosen again, would be no change.
    forgetFile.current?.();
    if (file) void upload(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const file = event.dataTransfer.files.item(0);
    if (file) void upload(file);
  };

  return (
    <fieldset className={classes.field} aria-describedby={shownError ? errorId : undefined}>
      <legend className={classes.label}>{label}</legend>
      {description && <Input.Description mb={6}>{description}</Input.Description>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is the mouse's short cut to the button inside */}
      <div
        className={classes.zone}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        {share !== null && <Uploading share={share} />}
        {share === null && url !== null && (
          <img className={classes.picture} src={url} alt={`Uploaded: ${label}`} />
        )}
        {share === null &&
          url === null &&
          (placeholder ?? (
            <Text size="sm" c="dimmed" className={classes.hint}>
              <IconPhotoUp size={28} aria-hidden="true" />
              <span>
                Drop a picture here, or choose one. JPEG, PNG, WebP, GIF or AVIF, up to{' '}
                {MAX_IMAGE_BYTES / MEGABYTE} MB.
              </span>
            </Text>
          ))}
        <Group gap="sm" justify="center">
          {share !== null ? (
            <Button variant="default" onClick={cancel}>
              Cancel upload
            </Button>
          ) : (
            <FileButton
              // Without HEIC: phones then hand over a JPEG, which can be read.
              accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
              resetRef={forgetFile}
              onChange={choose}
              inputProps={{ 'aria-label': `${label}: file` }}
            >
              {(button) => (
                <Button variant="default" {...button}>
                  {url === null && !placeholder ? 'Choose picture' : 'Replace'}
                </Button>
              )}
            </FileButton>
          )}
          {share === null && url !== null && (
            <Button variant="subtle" color="gray" onClick={onRemove}>
              Remove
            </Button>
          )}
          {share === null && actions}
        </Group>
      </div>
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
  // All sent: what remains is the server's time to decode it.
  const text = share < 1 ? 'Uploading …' : 'Looking at the picture …';
  return (
    <div className={classes.progress}>
      <Text size="sm" mb={6} role="status">
        {text}
      </Text>
      <Progress.Root size="md">
        <Progress.Section value={Math.round(share * WHOLE)} aria-label="Upload" animated={share === 1} />
      </Progress.Root>
    </div>
  );
}
