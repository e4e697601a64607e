import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { EntryList } from './entry-list.tsx';
import { judge, type KeySet, type Verdict } from './judge.ts';
import classes from './proofs.module.css';
import { rootSentence, verdictText } from './wording.ts';

const FILE_MAX_BYTES = 1_000_000;

async function fetchKeys(): Promise<KeySet> {
  const answer = await fetch('/.well-known/jwks.json');
  if (!answer.ok) throw new Error(`The keys are not available: ${answer.status}`);
  return answer.json();
}

/** Takes a statement, pasted or as a file, and says what is true of it. */
export function StatementCheck() {
  const [text, setText] = useState('');
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [isChecking, setIsChecking] = useState(false);
  const checking = trpc.proofs.check.useMutation();
  const isAble = globalThis.crypto?.subtle !== undefined;

  async function check(statement: string) {
    setIsChecking(true);
    try {
      const ask = (signed: string) => checking.mutateAsync({ statement: signed });
      setVerdict(await judge(statement, await fetchKeys(), ask));
    } catch (error) {
      toasts.failed(error, t`Statement not checked`);
    } finally {
      setIsChecking(false);
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void check(text);
  };
  const open = async (file: File | null) => {
    if (!file) return;
    const read = file.size > FILE_MAX_BYTES ? '' : (await file.text()).trim();
    setText(read);
    await check(read);
  };
  if (!isAble)
    return (
      <Alert color="yellow" variant="light" title={t`This browser cannot check it here`}>
        <Trans>Open this page with an address that begins with https.</Trans>
      </Alert>
    );
  return (
    <Stack>
      <form onSubmit={submit}>
        <Stack>
          <Textarea
            label={t`Statement`}
            description={t`Its owner downloads it from the page of the coupon. It has no code in it.`}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setVerdict(null);
            }}
            rows={5}
            className={classes.statement ?? ''}
            autoComplete="off"
            spellCheck={false}
            required
          />
          <Group>
            <Button type="submit" loading={isChecking} disabled={text.trim() === ''}>
              <Trans>Check statement</Trans>
            </Button>
            <FileButton onChange={open} accept=".txt,.jws,text/plain">
              {(props) => (
                <Button {...props} variant="default" disabled={isChecking}>
                  <Trans>Open file</Trans>
                </Button>
              )}
            </FileButton>
          </Group>
        </Stack>
      </form>
      <div role="status">{verdict && <VerdictShown verdict={verdict} />}</div>
    </Stack>
  );
}

function VerdictShown({ verdict }: { verdict: Verdict }) {
  const { title, text, isGood } = verdictText(verdict);
  return (
    <Stack>
      <Alert color={isGood ? 'green' : 'red'} variant="light" title={title}>
        <Text inherit>{text}</Text>
        {verdict.kind === 'true' && <Text inherit>{rootSentence(verdict.root)}</Text>}
        {verdict.kind === 'true' && verdict.root !== null && verdict.root !== 'broken' && (
          <Text className={classes.hash ?? ''} translate="no">
            {verdict.root.hash}
          </Text>
        )}
      </Alert>
      {'statement' in verdict && (
        <div>
          <Text fw={600} mb={6}>
            <Trans>What the statement says</Trans>
          </Text>
          <EntryList entries={verdict.statement.entries} you={null} />
        </div>
      )}
    </Stack>
  );
}
