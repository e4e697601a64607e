import { Button, Group, Modal, Radio, Stack, Text, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import { z } from 'zod';
import { type UserStatus, userStatusSchema } from '#contract/accounts.ts';
import { type AdminUser, setUserStatusInputSchema } from '#contract/moderation.ts';
import { TEXTS } from '#contract/texts.ts';
import { fieldErrors, isConflict, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useSetUserStatus } from './queries.ts';
import { STATUS_CONSEQUENCES, STATUS_WORDS } from './wording.ts';

/** As the contract bounds it. */
const REASON_MAX = 1_000;

const formSchema = setUserStatusInputSchema.extend({
  status: z.enum(userStatusSchema.options, 'Choose a status'),
});

interface StatusDialogProps {
  readonly person: AdminUser | undefined;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** An admin changes how somebody stands, and says why. */
export function StatusDialog({ person, opened, onClose }: StatusDialogProps) {
  const setStatus = useSetUserStatus();
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={opened}
      onClose={setStatus.isPending ? () => {} : onClose}
      title={person ? `Change the status of ${person.username}` : 'Change the status'}
      size="lg"
      fullScreen={isSmall}
      closeButtonProps={{ disabled: setStatus.isPending }}
    >
      {person && <StatusForm key={person.id} person={person} setStatus={setStatus} onClose={onClose} />}
    </Modal>
  );
}

interface StatusFormProps {
  readonly person: AdminUser;
  readonly setStatus: ReturnType<typeof useSetUserStatus>;
  readonly onClose: () => void;
}

function StatusForm({ person, setStatus, onClose }: StatusFormProps) {
  const form = useForm<{ id: number; status: UserStatus | ''; reason: string }>({
    initialValues: { id: person.id, status: '', reason: '' },
    validate: schemaResolver(formSchema, { sync: true }),
  });
  const submit = form.onSubmit((values) => {
    const input = formSchema.parse(values);
    setStatus.mutate(input, {
      onSuccess: () => {
        onClose();
        toasts.success('Status changed', `${person.username} is now ${input.status}.`);
      },
      onError: (error) => {
        form.setErrors(fieldErrors(error));
        toasts.failure(TEXTS.reports.actionFailed, writeErrorText(error, 'Please try again.'));
        if (isConflict(error)) onClose();
      },
    });
  });
  const { status } = form.values;
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <Text>
          {person.username} is {STATUS_WORDS[person.status].word.toLowerCase()} now.
        </Text>
        <Radio.Group label="New status" withAsterisk {...form.getInputProps('status')}>
          <Stack gap="sm" mt="xs">
            {userStatusSchema.options
              .filter((value) => value !== person.status)
              .map((value) => (
                <Radio
                  key={value}
                  value={value}
                  label={STATUS_WORDS[value].word}
                  description={STATUS_CONSEQUENCES[value]}
                />
              ))}
          </Stack>
        </Radio.Group>
        <Textarea
          label="Reason"
          description={`Kept in the audit log, and told to ${person.username}.`}
          withAsterisk
          rows={3}
          resize="vertical"
          maxLength={REASON_MAX}
          {...form.getInputProps('reason')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={setStatus.isPending}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={status === 'banned' || status === 'suspended' ? 'red' : undefined}
            loading={setStatus.isPending}
          >
            {status === 'banned' ? `Ban ${person.username}` : 'Change status'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
