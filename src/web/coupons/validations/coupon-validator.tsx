import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Paper, Stack, Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ImageKind } from '#contract/coupons/images.ts';
import { CODE_MAX, MERCHANT_MAX } from '#contract/coupons/limits.ts';
import { useDialogLink } from '#web/lib/dialog-link.ts';
import { EXACT_FIELD } from '#web/lib/keyboards.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { ImageTab } from './image-tab.tsx';
import { SourceSelect } from './source-select.tsx';
import { useHandScanner } from './use-hand-scanner.ts';
import { scanOf, useValidator } from './use-validator.ts';
import classes from './validate.module.css';
import { VerdictColumn } from './verdict-column.tsx';

type Tab = 'text' | ImageKind;

const TABS: readonly { value: Tab; label: string }[] = [
  { value: 'text', label: t`Text Code` },
  { value: 'qrcode', label: t`QR Code` },
  { value: 'barcode', label: t`Barcode` },
];

/** Checks a code that is typed, on a picture or before the camera, and offers to add a valid one. */
export function CouponValidator() {
  const [tab, setTab] = useState<Tab>('text');
  const validator = useValidator();
  const { scans, verdict, isPending } = validator;
  const isValid = verdict?.result.valid ?? false;
  // The installed application has a shortcut to it.
  useDialogLink('scan', () => {
    setTab('qrcode');
    void openDialog('camera', { onRead: (codes) => validator.takeScan('qrcode', scanOf(codes)) });
  });
  useHandScanner((code) => {
    setTab('text');
    validator.takeTyped(code);
  });

  return (
    <div className={classes.columns}>
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <Stack>
          <TextInput
            label={t`Merchant`}
            placeholder={t`Where you can use the coupon`}
            required
            maxLength={MERCHANT_MAX}
            {...validator.merchantProps}
          />
          <Tabs
            value={tab}
            onChange={(next) => setTab(TABS.find(({ value }) => value === next)?.value ?? 'text')}
          >
            <Tabs.List grow mb="md">
              {TABS.map(({ value, label }) => (
                <Tabs.Tab key={value} value={value}>
                  {label}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="text">
              <form
                noValidate
                onSubmit={(event) => {
                  event.preventDefault();
                  validator.validateText();
                }}
              >
                <Stack>
                  <TextInput
                    label={t`Coupon code`}
                    required
                    maxLength={CODE_MAX}
                    {...EXACT_FIELD}
                    classNames={{ input: classes.code }}
                    {...validator.codeProps}
                  />
                  <Button type="submit" variant={isValid ? 'default' : 'filled'} loading={isPending}>
                    <Trans>Validate</Trans>
                  </Button>
                </Stack>
              </form>
            </Tabs.Panel>
            {(['qrcode', 'barcode'] as const).map((kind) => (
              <Tabs.Panel key={kind} value={kind}>
                <ImageTab
                  kind={kind}
                  scan={scans[kind]}
                  onChange={(scan) => validator.setScan(kind, scan)}
                  onFacts={validator.takeFacts}
                  onRead={(scan) => validator.takeScan(kind, scan)}
                  onValidate={(chosen) => validator.validateScan(kind, chosen, scans[kind])}
                  isValidating={isPending}
                  isPrimary={!isValid}
                />
              </Tabs.Panel>
            ))}
          </Tabs>
          <SourceSelect value={validator.source} onChange={validator.setSource} />
        </Stack>
      </Paper>
      <VerdictColumn verdict={verdict} isPending={isPending} />
    </div>
  );
}
