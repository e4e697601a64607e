import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { openDialog } from '#web/lib/open-dialog.ts';
import { toasts } from '#web/lib/toasts.ts';
import { CopyButton } from './copy-button.tsx';

interface PrivateAddressProps {
  /** Of the element that gets the focus after an act. */
  readonly id: string;
  /** Null: there is none. */
  readonly address: string | null;
  /** Who can do what with it. */
  readonly description: string;
  /** What to do with a new or copied address. */
  readonly nextStep: string;
  /** What follows from a new address, and from none. */
  readonly afterRenewal: string;
  readonly afterRemoval: string;
  /** Said when it is switched off. */
  readonly removed: string;
  readonly renew: () => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
  readonly isPending: boolean;
}

/** A private address of the viewer: creates, copies, replaces and ends it. */
export function PrivateAddress(props: PrivateAddressProps) {
  const { id, address, description, nextStep, afterRenewal, afterRemoval, removed } = props;
  const { renew, remove, isPending } = props;
  const focusAfter = [id];
  const create = () =>
    renew().then(
      () => toasts.success(t`Address created`, nextStep),
      (error: unknown) => toasts.failed(error, t`Address not created`),
    );
  const askToRenew = () =>
    openDialog(
      'confirm',
      {
        title: t`New address?`,
        text: t`The old address stops working. ${afterRenewal}`,
        confirmLabel: t`New address`,
        act: renew,
        done: [t`Address changed`, nextStep],
        failed: [t`Address not changed`],
      },
      { focusAfter },
    );
  const askToSwitchOff = () =>
    openDialog(
      'confirm',
      {
        title: t`Switch off?`,
        text: t`The address stops working. ${afterRemoval}`,
        confirmLabel: t`Switch off`,
        isDangerous: true,
        act: remove,
        done: [removed],
        failed: [t`Address not switched off`],
      },
      { focusAfter },
    );
  return (
    <Stack id={id} tabIndex={-1}>
      {address === null ? (
        <Group>
          <Button variant="default" loading={isPending} onClick={create}>
            <Trans>Create address</Trans>
          </Button>
        </Group>
      ) : (
        <>
          <TextInput label={t`Private address`} description={description} value={address} readOnly />
          <Group>
            <CopyButton text={address} variant="default" done={[t`Address copied`, nextStep]}>
              <Trans>Copy address</Trans>
            </CopyButton>
            <Button variant="default" aria-haspopup="dialog" onClick={askToRenew}>
              <Trans>New address</Trans>
            </Button>
            <Button variant="default" aria-haspopup="dialog" onClick={askToSwitchOff}>
              <Trans>Switch off</Trans>
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}
