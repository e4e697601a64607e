import type { Passkey } from '#contract/people/passkeys.ts';
import { AddPasskey } from './add-passkey-dialog.tsx';
import { RemovePasskey } from './remove-passkey-dialog.tsx';
import { RenamePasskey } from './rename-passkey-dialog.tsx';

interface PasskeyDialogProps {
  /** The passkey to rename or remove; none: a new one. */
  readonly passkey?: Passkey;
  readonly isRemoval?: boolean;
  readonly onClose: () => void;
}

/** The dialogs about passkeys, which are loaded together: each one of its own would cost every page some bytes. */
export function Component({ passkey, isRemoval, onClose }: PasskeyDialogProps) {
  if (!passkey) return <AddPasskey onClose={onClose} />;
  return isRemoval ? <RemovePasskey passkey={passkey} /> : <RenamePasskey passkey={passkey} />;
}
