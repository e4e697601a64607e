import type { Prompted } from '#web/lib/prompts.ts';
import { ConfirmAddressDialog } from './confirm-address-dialog.tsx';
import { SecondFactorDialog } from './second-factor-dialog.tsx';

interface PromptDialogProps {
  readonly code: Prompted;
  readonly opened: boolean;
  readonly onGiven: () => void;
  readonly onClose: () => void;
}

/** Asks for what a refused call needs first. */
export function PromptDialog({ code, ...props }: PromptDialogProps) {
  return code === 'address_unconfirmed' ? (
    <ConfirmAddressDialog {...props} />
  ) : (
    <SecondFactorDialog {...props} />
  );
}
