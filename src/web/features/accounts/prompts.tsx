import { useEffect, useState } from 'react';
import { dialogOnDemand } from '#web/components/on-demand.tsx';
import { PROMPTED, type Prompted, setPrompt } from '#web/lib/prompts.ts';

const PromptDialog = dialogOnDemand(async () => (await import('./prompt-dialog.tsx')).PromptDialog);

/** Opens the dialog that asks for what a refused call needs first. */
export function Prompts() {
  const [answer, setAnswer] = useState<((isGiven: boolean) => void) | null>(null);
  const [code, setCode] = useState<Prompted>(PROMPTED[0]);
  const [turn, setTurn] = useState(0);
  useEffect(
    () =>
      setPrompt((asked) => {
        setCode(asked);
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
    <PromptDialog
      key={turn}
      code={code}
      opened={answer !== null}
      onGiven={() => end(true)}
      onClose={() => end(false)}
    />
  );
}
