import { type ComponentType, useEffect, useState } from 'react';
import { dialogOnDemand } from '#web/components/on-demand.tsx';
import { type Prompted, setPrompt } from '#web/lib/prompts.ts';

const SecondFactorDialog = dialogOnDemand(
  async () => (await import('./second-factor-dialog.tsx')).SecondFactorDialog,
);
const ConfirmAddressDialog = dialogOnDemand(
  async () => (await import('./confirm-address-dialog.tsx')).ConfirmAddressDialog,
);

/** Open the dialogs that ask for what a refused call needs first. */
export function Prompts() {
  return (
    <>
      <Prompt code="second_factor_required" Dialog={SecondFactorDialog} />
      <Prompt code="address_unconfirmed" Dialog={ConfirmAddressDialog} />
    </>
  );
}

interface PromptProps {
  readonly code: Prompted;
  readonly Dialog: ComponentType<{ opened: boolean; onGiven: () => void; onClose: () => void }>;
}

function Prompt({ code, Dialog }: PromptProps) {
  const [answer, setAnswer] = useState<((isGiven: boolean) => void) | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(
    () =>
      setPrompt(code, () => {
        setTurn((before) => before + 1);
        return new Promise<boolean>((resolve) => setAnswer(() => resolve));
      }),
    [code],
  );
  const end = (isGiven: boolean) => {
    answer?.(isGiven);
    setAnswer(null);
  };
  // A new dialog each time: the one that is mounted last lies in front of the dialog whose call asks.
  return <Dialog key={turn} opened={answer !== null} onGiven={() => end(true)} onClose={() => end(false)} />;
}
