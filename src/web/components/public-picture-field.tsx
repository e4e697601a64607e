import { type ReactNode, useState } from 'react';
import { onDemand, tellNotLoaded, useOnDemand } from './on-demand.tsx';
import { PictureField } from './picture-field.tsx';

/** Loaded on demand: few visits crop a picture. */
const editor = onDemand(async () => (await import('./picture-editor.tsx')).PictureEditor);

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
  const PictureEditor = useOnDemand(editor, file, () => {
    tellNotLoaded();
    setFile(null);
  });
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
      {file && PictureEditor && (
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
      )}
    </>
  );
}
