import { lazy, type ReactNode, Suspense, useState } from 'react';
import { PictureField } from './picture-field.tsx';

/** Loaded on demand: few visits crop a picture. */
const PictureEditor = lazy(() =>
  import('./picture-editor.tsx').then(({ PictureEditor: it }) => ({ default: it })),
);

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
  const [file, setFile] = useState<File | null>(null);
  return (
    <>
      <PictureField
        {...field}
        kind={kind}
        failText="This picture could not be uploaded. Please try again."
        onUploaded={onChange}
        onChosen={setFile}
        onRemove={() => onChange(null)}
      />
      {file && (
        <Suspense>
          <PictureEditor
            key={`${file.name} ${file.lastModified}`}
            file={file}
            kind={kind}
            onUploaded={(url) => {
              onChange(url);
              setFile(null);
            }}
            onClose={() => setFile(null)}
          />
        </Suspense>
      )}
    </>
  );
}
