import { Button, Paper, Stack, Tabs, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { CODE_MAX, MERCHANT_MAX } from '#contract/coupons.ts';
import type { ImageKind } from '#contract/images.ts';
import { TEXTS } from '#contract/texts.ts';
import type { ValidationSource } from '#contract/validation.ts';
import { fieldErrors } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import type { Subject } from './add-values.ts';
import classes from './coupon-validator.module.css';
import { ImageTab, NO_SCAN, type Scan } from './image-tab.tsx';
import { forgetDraft, keptDraft } from './kept-draft.ts';
import { SourceSelect } from './source-select.tsx';
import { useVerdict } from './use-verdict.ts';
import { VerdictColumn } from './verdict-column.tsx';

type Tab = 'text' | ImageKind;

const TABS: readonly { value: Tab; label: string }[] = [
  { value: 'text', label: 'Text Code' },
  { value: 'qrcode', label: 'QR Code' },
  { value: 'barcode', label: 'Barcode' },
];

/** Has a code checked that is typed in, on a picture or before the camera, and offers to add what is valid. */
export function CouponValidator() {
  const [draft] = useState(keptDraft);
  const [merchant, setMerchant] = useState(draft?.merchant ?? '');
  const [code, setCode] = useState(draft?.code ?? '');
  const [tab, setTab] = useState<Tab>('text');
  const [scans, setScans] = useState<Record<ImageKind, Scan>>({ qrcode: NO_SCAN, barcode: NO_SCAN });
  const [source, setSource] = useState<ValidationSource>('auto');
  const [errors, setErrors] = useState<{ merchant?: string; code?: string }>({});
  const { verdict, ask, isPending, error } = useVerdict<Subject>(TEXTS.validation.failedTitle);
  const merchantField = useRef<HTMLInputElement>(null);
  const codeField = useRef<HTMLInputElement>(null);

  /** Without a merchant nothing is asked. @param pictures those that show the code */
  const judge = (codeValue: string, pictures: Pick<Subject, 'qrCodeUrl' | 'barcodeUrl'> = {}) => {
    const subject = { merchant: merchant.trim(), code: codeValue.trim(), ...pictures };
    if (subject.merchant === '') {
      setErrors({ merchant: TEXTS.validation.merchantRequired });
      toasts.failure(TEXTS.validation.errorTitle, TEXTS.validation.merchantMissing);
      merchantField.current?.focus();
    } else if (subject.code === '') {
      setErrors({ code: TEXTS.validation.codeRequired });
      toasts.failure(TEXTS.validation.errorTitle, TEXTS.validation.codeRequired);
      codeField.current?.focus();
    } else {
      setErrors({});
      void ask({ merchant: subject.merchant, codeValue: subject.code, preferredSource: source }, subject);
    }
  };
  const judgeScan = (kind: ImageKind, chosen: string, { url }: Scan) =>
    judge(chosen, url === null ? {} : kind === 'qrcode' ? { qrCodeUrl: url } : { barcodeUrl: url });
  const change = (kind: ImageKind, scan: Scan) => setScans((now) => ({ ...now, [kind]: scan }));
  const takeRead = (kind: ImageKind, scan: Scan) => {
    change(kind, scan);
    if (merchant.trim() === '') {
      toasts.neutral(
        TEXTS.validation.enterMerchant,
        'The code was read. Enter the merchant’s name, then press Validate.',
      );
      merchantField.current?.focus();
    } else if (scan.chosen !== null && scan.codes.length === 1) {
      judgeScan(kind, scan.chosen, scan);
    }
  };

  const goOn = useRef(() => {
    if (draft) judge(draft.code);
    forgetDraft();
  });
  useEffect(() => {
    goOn.current();
    // Once: React may mount a screen twice.
    goOn.current = () => {};
  }, []);
  useEffect(() => {
    const refused = fieldErrors(error);
    setErrors({ merchant: refused.merchant, code: refused.codeValue });
  }, [error]);

  return (
    <div className={classes.columns}>
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <Stack>
          <TextInput
            ref={merchantField}
            label="Merchant"
            placeholder="Who takes the coupon"
            required
            maxLength={MERCHANT_MAX}
            value={merchant}
            error={errors.merchant}
            onChange={({ currentTarget }) => {
              setMerchant(currentTarget.value);
              setErrors((now) => ({ ...now, merchant: undefined }));
            }}
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
                  judge(code);
                }}
              >
                <Stack>
                  <TextInput
                    ref={codeField}
                    label="Coupon code"
                    required
                    maxLength={CODE_MAX}
                    autoComplete="off"
                    autoCapitalize="off"
                    spellCheck={false}
                    classNames={{ input: classes.code }}
                    value={code}
                    error={errors.code}
                    onChange={({ currentTarget }) => {
                      setCode(currentTarget.value);
                      setErrors((now) => ({ ...now, code: undefined }));
                    }}
                  />
                  <Button
                    type="submit"
                    variant={verdict?.result.valid ? 'default' : 'filled'}
                    loading={isPending}
                  >
                    Validate
                  </Button>
                </Stack>
              </form>
            </Tabs.Panel>
            {(['qrcode', 'barcode'] as const).map((kind) => (
              <Tabs.Panel key={kind} value={kind}>
                <ImageTab
                  kind={kind}
                  scan={scans[kind]}
                  onChange={(scan) => change(kind, scan)}
                  onRead={(scan) => takeRead(kind, scan)}
                  onValidate={(chosen) => judgeScan(kind, chosen, scans[kind])}
                  isValidating={isPending}
                  isPrimary={!verdict?.result.valid}
                />
              </Tabs.Panel>
            ))}
          </Tabs>
          <SourceSelect value={source} onChange={setSource} />
        </Stack>
      </Paper>
      <VerdictColumn verdict={verdict} isPending={isPending} />
    </div>
  );
}
