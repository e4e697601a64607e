import { useEffect, useState } from 'react';
import { dialogOnDemand } from '#web/components/on-demand.tsx';
import { setSecondFactorPrompt } from '#web/lib/second-factor-prompt.ts';

const SecondFactorDialog = dialogOnDemand(
  async () => (await import('./second-factor-dialog.tsx')).SecondFactorDialog,
);

/** Opens the dialog that asks for the second factor when a call needs it again. */
export function SecondFactorPrompt() {
  const [answer, setAnswer] = useState<((isGiven: boolean) => void) | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(
    () =>
      setSecondFactorPrompt(() => {
        setTurn((before) => before + 1);
        return new Promise<boolean>((resolve) => setAnswer(() => resolve));
      }),
    [],
  );
  const end = (isGiven: boolean) => {
    answer?.(isGiven);
    setAnswer(null);
  };
  // A new dialog each time: the one that is mounted last lies in front of the dialog whose call asks.
  return (
    <SecondFactorDialog
      key={turn}
      opened={answer !== null}
      onGiven={() => end(true)}
      onClose={() => end(false)}
    />
  );
}
