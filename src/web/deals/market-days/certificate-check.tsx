import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { judgeRecord, type RecordVerdict } from './judge-record.ts';
import classes from './market-days.module.css';

interface CertificateCheckProps {
  readonly day: string;
  readonly commitment: string;
  readonly hash: string | null;
}

/** Loads the proof of a market day and checks it in the browser. */
export function CertificateCheck({ day, commitment, hash }: CertificateCheckProps) {
  const [verdict, setVerdict] = useState<RecordVerdict | null>(null);
  const [isChecking, setIsChecking] = useState(false);
  const { marketDays } = trpc.useUtils();
  const check = async () => {
    setIsChecking(true);
    try {
      const { text } = await marketDays.certificate.fetch({ day });
      setVerdict(await judgeRecord(text, { day, commitment, hash }));
    } catch (error) {
      toasts.failed(error, t`Proof not checked`);
    } finally {
      setIsChecking(false);
    }
  };
  return (
    <>
      <Group>
        <Button onClick={check} loading={isChecking}>
          <Trans>Check the proof</Trans>
        </Button>
        <Button component="a" variant="default" href={`/api/market-days/${day}/certificate`} download>
          <Trans>Download it</Trans>
        </Button>
      </Group>
      <div role="status">{verdict && <Verdict verdict={verdict} />}</div>
      {hash && (
        <Text className={classes.hash ?? ''} c="dimmed" translate="no">
          SHA-256 {hash}
        </Text>
      )}
    </>
  );
}

function Verdict({ verdict: { faults, wishes, rounds } }: { verdict: RecordVerdict }) {
  if (faults.length > 0)
    return (
      <Alert color="red" variant="light" title={t`The proof is wrong`}>
        {faults.map((fault) => (
          <Text key={fault} inherit>
            {fault}
          </Text>
        ))}
      </Alert>
    );
  return (
    <Alert color="green" variant="light" title={t`The proof is right`}>
      <Text inherit>
        {plural(wishes, {
          one: '# wish was fulfilled, and no other swaps would have fulfilled more.',
          other: '# wishes were fulfilled, and no other swaps would have fulfilled more.',
        })}
      </Text>
      {rounds > 1 && (
        <Text inherit>
          {t`Some rings fell through, so the rest was solved again: the best of each of ${rounds} rounds.`}
        </Text>
      )}
    </Alert>
  );
}
