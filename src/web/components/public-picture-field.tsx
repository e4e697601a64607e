import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { openDialog } from '#web/lib/open-dialog.ts';
import { PictureField } from './picture-field.tsx';

interface PublicPictureFieldProps {
  readonly kind: 'picture' | 'profile-picture';
  readonly label: string;
  readonly description: string;
  /** The address of the picture, or null. */
  readonly url: string | null;
  readonly error?: ReactNode;
  readonly onChange: (url: string | null) => void;
}

/** Takes a public picture: chosen, dropped or pasted, then cut and covered in a dialog, which uploads it. */
export function PublicPictureField({ kind, onChange, ...field }: PublicPictureFieldProps) {
  return (
    <PictureField
      {...field}
      kind={kind}
      failText={t`This picture could not be uploaded. Please try again.`}
      onUploaded={onChange}
      onChosen={(file) => openDialog('editPicture', { file, kind, onUploaded: onChange })}
      onRemove={() => onChange(null)}
    />
  );
}
