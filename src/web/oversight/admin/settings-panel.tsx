import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { listed } from '#contract/base/locale.ts';
import { settingName, settingText } from '#contract/people/setting-texts.ts';
import {
  type SettingState,
  type Settings,
  SHOWN_SETTINGS,
  type ShownSetting,
} from '#contract/people/settings.ts';
import { Surface } from '#web/components/surface.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { FeedsPanel } from './feeds-panel.tsx';
import { Panel } from './panel.tsx';
import { useSettings } from './queries.ts';
import { ValidatorsPanel } from './validators-panel.tsx';

/** What admins can change while the market runs. */
export function SettingsPanel() {
  return (
    <Panel
      read={useSettings()}
      failure={t`Failed to load the settings`}
      skeleton={<Skeleton height={160} radius="md" aria-hidden="true" />}
    >
      {(settings) => (
        <Stack gap={16}>
          <Text c="dimmed">
            <Trans>
              Changes apply immediately, without a restart. The activity log shows who changed what, and you
              can undo each change.
            </Trans>
          </Text>
          {SHOWN_SETTINGS.map((name) => (
            <SettingCard
              key={name}
              name={name}
              setting={settings[name]}
              onChange={() => FORMS[name](settings)}
            />
          ))}
          <FeedsPanel />
          <ValidatorsPanel />
        </Stack>
      )}
    </Panel>
  );
}

/** Opens the form of each setting. */
const FORMS: Readonly<Record<ShownSetting, (settings: Settings) => Promise<void>>> = {
  announcement: ({ announcement: setting }) => openDialog('changeAnnouncement', { setting }),
  maintenance: ({ maintenance: setting }) => openDialog('changeMaintenance', { setting }),
  feeRates: ({ feeRates: setting }) => openDialog('changeFees', { setting }),
  guarantee: ({ guarantee: setting }) => openDialog('changeGuarantee', { setting }),
  ringPeopleMax: ({ ringPeopleMax: setting }) => openDialog('changeRings', { setting }),
  claimDays: ({ claimDays: setting }) => openDialog('changeClaimDays', { setting }),
  depositFromNewcomers: ({ depositFromNewcomers: setting }) => openDialog('changeDeposits', { setting }),
  marketDay: ({ marketDay: setting }) => openDialog('changeMarketDay', { setting }),
  limits: ({ limits: setting }) => openDialog('changeLimits', { setting }),
};

/** What each setting does, for somebody who sees it for the first time. */
const MEANINGS: Readonly<Record<ShownSetting, string>> = {
  announcement: t`A message for everyone, at the top of every page.`,
  maintenance: t`While it is on, everyone except admins can only read.`,
  feeRates: t`What the buyer and the seller pay on each sale. A sale keeps the fees from when its bid was accepted.`,
  guarantee: t`How long buyers can claim after the 72 hours, and the share of fees set aside for it. A payment keeps the guarantee from when it began.`,
  ringPeopleMax: t`The largest ring of swaps we look for.`,
  claimDays: t`How long moderators have to decide a claim.`,
  depositFromNewcomers: t`What swaps with newcomers ask each side to put up, unless the proposal says otherwise.`,
  marketDay: t`Once a day, we trade the coupons whose owners agreed to it beforehand.`,
  limits: t`How often a person or a program’s key may do something.`,
};

/** What the button says that takes a setting back. */
const RESETS: Readonly<Partial<Record<ShownSetting, string>>> = {
  announcement: t`Take down`,
  maintenance: t`Switch off`,
};

interface SettingCardProps {
  readonly name: ShownSetting;
  readonly setting: SettingState;
  readonly onChange: () => void;
}

function SettingCard({ name, setting, onChange }: SettingCardProps) {
  const title = settingName(name);
  const { value, source, variables, change, isUnusable } = setting;
  return (
    <Surface component="section" aria-labelledby={`setting-${name}`}>
      <Title order={2} size="h4" id={`setting-${name}`} tabIndex={-1}>
        {title}
      </Title>
      <Text c="dimmed" size="sm">
        {MEANINGS[name]}
      </Text>
      <Text fw={600} my={8}>
        {settingText(name, value)}
      </Text>
      <Text size="sm">{sourceText(setting)}</Text>
      {isUnusable && (
        <Text size="sm" c="var(--mantine-color-error)">
          <Trans>This version ignores the last value that was set here.</Trans>
        </Text>
      )}
      <Group gap="sm" mt="sm">
        {variables.length === 0 && (
          <Button variant="default" size="compact-md" aria-haspopup="dialog" onClick={onChange}>
            <Trans>
              Change<VisuallyHidden> {title}</VisuallyHidden>
            </Trans>
          </Button>
        )}
        {source === 'browser' && value !== null && change && <Reset name={name} follows={change.id} />}
        {change && (
          <Button
            variant="default"
            size="compact-md"
            aria-haspopup="dialog"
            onClick={() => openDialog('settingHistory', { name, isLocked: variables.length > 0 })}
          >
            <Trans>
              History<VisuallyHidden> of {title}</VisuallyHidden>
            </Trans>
          </Button>
        )}
      </Group>
    </Surface>
  );
}

function sourceText({ source, variables, change }: SettingState): string {
  if (source === 'environment')
    return t`${listed(variables)} in the server’s environment sets this. It cannot be changed here.`;
  if (source === 'folder') return t`Set in this market’s folder (MARKET_DIR).`;
  if (source === 'default' || !change) return t`The default.`;
  const at = formatDateTime(change.at);
  return change.by === null ? t`Changed by the operator, ${at}.` : t`Changed by ${change.by}, ${at}.`;
}

/** Takes a setting back to what holds without a change. */
function Reset({ name, follows }: { name: ShownSetting; follows: number }) {
  const title = settingName(name);
  const label = RESETS[name] ?? t`Reset`;
  const change = trpc.settings.change.useMutation();
  const press = () =>
    openDialog('confirm', {
      title: `${title}: ${label}`,
      text:
        label === RESETS[name]
          ? t`It ends immediately for everyone. Open pages show it until they are reloaded.`
          : t`This restores the value from this market’s folder, or else the default. It applies immediately, for everyone.`,
      confirmLabel: label,
      act: () => change.mutateAsync({ name, value: null, follows }),
      done: [t`Setting changed`],
      failed: [t`Nothing was changed`],
    });
  return (
    <Button variant="default" size="compact-md" aria-haspopup="dialog" onClick={press}>
      {label}
      <VisuallyHidden> {title}</VisuallyHidden>
    </Button>
  );
}
