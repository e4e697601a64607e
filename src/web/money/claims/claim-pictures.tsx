import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { CLAIM_PICTURES_MAX } from '#contract/money/claims.ts';
import { PictureField } from '#web/components/picture-field.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import classes from './claim-pictures.module.css';

interface ClaimPicturesProps {
  readonly urls: readonly string[];
  /** Whose they are, for those who cannot see them. */
  readonly whose: string;
}

/** The pictures of one side of a claim, each a link to itself in full. */
export function ClaimPictures({ urls, whose }: ClaimPicturesProps) {
  if (urls.length === 0) return null;
  return (
    <PlainList className={classes.pictures}>
      {urls.map((url, index) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer">
            <img
              className={classes.picture}
              src={url}
              alt={t`${whose}: evidence ${index + 1} of ${urls.length}, in full`}
            />
          </a>
        </li>
      ))}
    </PlainList>
  );
}

interface ClaimPicturesFieldProps {
  readonly urls: readonly string[];
  readonly error?: ReactNode;
  readonly onChange: (urls: string[]) => void;
  /** Called when an upload starts or ends. */
  readonly onBusy: (isBusy: boolean) => void;
}

/** Takes a few pictures as evidence: chosen, dropped, or taken with a phone's camera. */
export function ClaimPicturesField({ urls, error, onChange, onBusy }: ClaimPicturesFieldProps) {
  const id = useId();
  const remove = (removed: string) => {
    onChange(urls.filter((url) => url !== removed));
    rescueFocus([id]);
  };
  return (
    <div id={id} tabIndex={-1}>
      <PictureField
        kind="evidence"
        label={t`Pictures`}
        description={t`Optional. Add up to ${CLAIM_PICTURES_MAX}, such as a receipt or the screen at the checkout. Only the two of you and moderators can see them. We cover QR codes and barcodes; please cover written codes yourself.`}
        url={null}
        error={error}
        failText={t`This picture could not be uploaded. Please try again.`}
        added={
          urls.length > 0 && (
            <PlainList className={classes.pictures}>
              {urls.map((url, index) => (
                <li key={url}>
                  <img
                    className={classes.picture}
                    src={url}
                    alt={t`Your evidence ${index + 1} of ${urls.length}`}
                  />
                  <Button variant="subtle" color="gray" size="compact-sm" onClick={() => remove(url)}>
                    <Trans>
                      Remove
                      <VisuallyHidden>
                        {' '}
                        evidence {index + 1} of {urls.length}
                      </VisuallyHidden>
                    </Trans>
                  </Button>
                </li>
              ))}
            </PlainList>
          )
        }
        isFull={urls.length >= CLAIM_PICTURES_MAX}
        hasCamera
        onUploaded={(url) => onChange([...urls, url])}
        onBusy={onBusy}
        onRemove={() => {}}
      />
    </div>
  );
}
