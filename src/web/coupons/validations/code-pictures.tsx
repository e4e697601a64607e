import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { listed } from '#contract/base/locale.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { FoundCode, ImageKind, StatedFacts } from '#contract/coupons/images.ts';
import { FIRST_KIND } from '#contract/coupons/read-coupons.ts';
import pictureField from '#web/components/picture-field.module.css';
import { PictureField } from '#web/components/picture-field.tsx';
import { useExtractCode } from '#web/coupons/core/queries.ts';
import { type CouponFormValues, filledBy } from '#web/coupons/form/coupon-form-values.ts';
import type { PictureReading } from '#web/coupons/form/reading/use-picture-reading.ts';
import classes from './code-fields.module.css';
import { PictureCodes } from './picture-codes.tsx';
import { type Sheet, useCutOut } from './sheet.ts';

interface CodePicturesProps {
  readonly form: UseFormReturnType<CouponFormValues>;
  /** The coupon to edit, whose stored pictures may stay. */
  readonly coupon?: Coupon;
  /** The picture that a new coupon is filled from: with it, nobody has to say which kind of code it shows. */
  readonly reading: PictureReading | null;
  /** The picture whose codes are added one after the other. */
  readonly sheet: Sheet | null;
  readonly onSheet: (sheet: Sheet | null) => void;
  /** While the part of a sheet around its code is cut out, the form is not complete. */
  readonly onCutting: (isCutting: boolean) => void;
}

const FIELDS = [
  {
    kind: 'qrcode',
    field: 'qrCodeUrl',
    drawnField: 'drawnQrCodeUrl',
    label: t`QR code picture`,
    failText: TEXTS.images.qrUploadFailed(),
  },
  {
    kind: 'barcode',
    field: 'barcodeUrl',
    drawnField: 'drawnBarcodeUrl',
    label: t`Barcode picture`,
    failText: TEXTS.images.barcodeUploadFailed(),
  },
] as const satisfies readonly {
  kind: ImageKind;
  field: 'qrCodeUrl' | 'barcodeUrl';
  drawnField: 'drawnQrCodeUrl' | 'drawnBarcodeUrl';
  label: string;
  failText: string;
}[];

const WHO_SEES = t`Optional. Only you can see it, and later the new owner.`;
const NONE_STORED = t`None stored. When you redeem the coupon, we can make one. ${TEXTS.redeem.drawn()}.`;

/** Uploads pictures of a coupon's code, and offers the codes that they contain for the code field. */
export function CodePictures({ form, coupon, reading, sheet, onSheet, onCutting }: CodePicturesProps) {
  const kind = reading && (reading.kind ?? FIRST_KIND);
  return (
    <div className={classes.pictures}>
      {FIELDS.filter((field) => kind === null || field.kind === kind).map((field) => (
        <CodePicture
          key={field.kind}
          {...field}
          {...(reading?.kind === null && { label: t`Picture of the coupon` })}
          form={form}
          stored={coupon?.[field.field] ?? null}
          isDrawable={Boolean(coupon?.[field.drawnField])}
          found={reading}
          sheet={sheet?.kind === field.kind ? sheet : null}
          onSheet={coupon ? null : onSheet}
          onCutting={onCutting}
        />
      ))}
    </div>
  );
}

type CodePictureProps = Omit<(typeof FIELDS)[number], 'label'> & {
  readonly label: string;
  readonly form: CodePicturesProps['form'];
  readonly stored: string | null;
  readonly isDrawable: boolean;
  readonly found: PictureReading | null;
  readonly sheet: Sheet | null;
  readonly onSheet: CodePicturesProps['onSheet'] | null;
  readonly onCutting: CodePicturesProps['onCutting'];
};

function CodePicture(props: CodePictureProps) {
  const { kind, field, label, failText, form, stored, isDrawable, found, sheet, onSheet, onCutting } = props;
  const [codes, setCodes] = useState<readonly FoundCode[] | null>(
    sheet?.codes ?? (found?.kind === kind ? found.codes : null),
  );
  const cutting = useCutOut(kind);
  /** The fields that a wallet pass has filled; null without one. */
  const [fromPass, setFromPass] = useState<readonly string[] | null>(null);
  const { mutate } = useExtractCode();
  const change = form.values[field];

  const use = async (code: FoundCode, from = sheet) => {
    form.setFieldValue('code', code.text);
    form.clearFieldError('code');
    if (!from) return;
    // The whole picture would show the other codes to the next owner.
    form.setFieldValue(field, undefined);
    onCutting(true);
    const part = await cutting.cut(from, code);
    onCutting(false);
    if (form.getValues().code === code.text) form.setFieldValue(field, part);
  };
  const separate = (isSheet: boolean) => {
    const url = sheet?.url ?? change;
    if (!url || !codes) return;
    const whole = { kind, url, codes };
    onSheet?.(isSheet ? whole : null);
    form.setFieldValue(field, isSheet ? undefined : url);
    const used = codes.find(({ text }) => text === form.getValues().code);
    if (isSheet && used) void use(used, whole);
  };
  const take = (url: string, facts?: StatedFacts) => {
    const filled = facts ? filledBy(facts, form.getValues()) : {};
    form.setValues({ ...filled, [field]: url });
    for (const changed of [field, ...Object.keys(filled)]) form.clearFieldError(changed);
    setFromPass(facts ? Object.keys(filled) : null);
    setCodes(null);
    if (sheet) onSheet?.(null);
    // A picture without a readable code is still kept.
    const onSuccess = (read: { codes: readonly FoundCode[] }) => {
      setCodes(read.codes);
      const [only] = read.codes;
      if (facts && only && form.getValues().code.trim() === '') void use(only);
    };
    mutate({ imageUrl: url, imageType: kind }, { onSuccess });
  };
  const remove = () => {
    form.setFieldValue(field, stored === null ? undefined : null);
    setCodes(null);
    setFromPass(null);
    if (sheet) onSheet?.(null);
  };

  return (
    <div>
      <PictureField
        kind={kind}
        label={label}
        description={stored === null && isDrawable ? `${WHO_SEES} ${NONE_STORED}` : WHO_SEES}
        url={change ?? sheet?.url ?? null}
        error={form.errors[field]}
        failText={failText}
        onUploaded={take}
        onRemove={remove}
        placeholder={
          stored === null ? undefined : (
            <StoredPicture
              url={stored}
              label={label}
              isRemoved={change === null}
              onRemove={remove}
              onKeep={() => form.setFieldValue(field, undefined)}
            />
          )
        }
      />
      <div aria-live="polite">
        {fromPass && (
          <Text size="sm" c="dimmed" mt={8}>
            {passText(fromPass)}
          </Text>
        )}
        {codes && (
          <PictureCodes
            codes={codes}
            used={form.values.code.trim()}
            onUse={use}
            isSheet={sheet !== null}
            onSheet={onSheet && separate}
          />
        )}
        {sheet && cutting.state !== 'idle' && (
          <Text size="sm" c="dimmed" mt={8}>
            {CUTTING_TEXTS[cutting.state]}
          </Text>
        )}
      </div>
    </div>
  );
}

const CUTTING_TEXTS = {
  cutting: t`Cropping the picture…`,
  failed: t`We could not crop the picture without showing another code, so we keep only the code.`,
};

const PASS_FIELDS: Readonly<Record<string, string>> = {
  title: t`title`,
  merchant: t`merchant`,
  expiryDate: t`expiry date`,
  terms: t`terms`,
};

/** What a wallet pass has filled. */
function passText(fields: readonly string[]): string {
  const names = fields.flatMap((field) => PASS_FIELDS[field] ?? []);
  const unverified = t`No one has verified what the pass says, so please check it.`;
  return names.length > 0 ? `${t`Filled from the wallet pass: ${listed(names)}.`} ${unverified}` : unverified;
}

interface StoredPictureProps {
  readonly url: string;
  readonly label: string;
  readonly isRemoved: boolean;
  readonly onRemove: () => void;
  readonly onKeep: () => void;
}

/** The picture as uploaded. The server records each reveal, so only a press loads it. */
function StoredPicture({ url, label, isRemoved, onRemove, onKeep }: StoredPictureProps) {
  const [isShown, setIsShown] = useState(false);
  if (isRemoved) {
    return (
      <>
        <Text size="sm">
          <Trans>The picture will be removed when you save.</Trans>
        </Text>
        <Button variant="subtle" color="gray" onClick={onKeep}>
          <Trans>Keep picture</Trans>
        </Button>
      </>
    );
  }
  return (
    <>
      {isShown ? (
        <img className={pictureField.picture} src={url} alt={t`Stored: ${label}`} />
      ) : (
        <Text size="sm" c="dimmed">
          <Trans>A picture is stored. We record every view of it.</Trans>
        </Text>
      )}
      <Group gap="sm" justify="center">
        {!isShown && (
          <Button variant="default" onClick={() => setIsShown(true)}>
            <Trans>Show</Trans>
          </Button>
        )}
        <Button variant="subtle" color="gray" onClick={onRemove}>
          <Trans>Remove</Trans>
        </Button>
      </Group>
    </>
  );
}
