import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { TEXTS } from '#contract/base/texts.ts';
import { PERSONAL_CATEGORIES } from '#contract/coupons/choices.ts';
import type { Coupon, CouponPayload } from '#contract/coupons/coupons.ts';
import { MERCHANT_MAX, TITLE_MAX } from '#contract/coupons/limits.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { DialogFooter } from '#web/components/dialog.tsx';
import { DraftNotice } from '#web/components/draft-notice.tsx';
import { CATEGORY_NAMES } from '#web/coupons/core/wording.ts';
import classes from '#web/coupons/form/coupon-form.module.css';
import {
  DescriptionField,
  ExpiryFields,
  OptionalFields,
  WorthFields,
} from '#web/coupons/form/coupon-form-fields.tsx';
import {
  type CouponFormValues,
  categoryChoices,
  checkCoupon,
  EMPTY_COUPON,
  fieldOf,
  lacksPin,
  previewOf,
  toPayload,
  valuesOf,
} from '#web/coupons/form/coupon-form-values.ts';
import { OfferPicture } from '#web/coupons/form/offer-picture.tsx';
import { FirstStep } from '#web/coupons/form/reading/first-step.tsx';
import { marksOf } from '#web/coupons/form/reading/marks.tsx';
import { ReadingNotice } from '#web/coupons/form/reading/reading-notice.tsx';
import { useFilledForm, useFirstCheck } from '#web/coupons/form/reading/use-filled-form.ts';
import type { PictureReading } from '#web/coupons/form/reading/use-picture-reading.ts';
import { CodeField, useCodeCheck } from '#web/coupons/validations/code-field.tsx';
import { CodePictures } from '#web/coupons/validations/code-pictures.tsx';
import type { Sheet } from '#web/coupons/validations/sheet.ts';
import { fieldErrors, wireErrorOf, writeErrorText } from '#web/lib/errors.ts';
import { useFormDraft } from '#web/lib/form-draft.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useViewer } from '#web/lib/viewer.tsx';

/** The name of the draft of a new coupon. */
export const NEW_COUPON = 'coupon';

interface CouponFormProps {
  /** The coupon to edit; without one, a new coupon is created. */
  readonly coupon?: Coupon;
  /** What a new coupon begins with. */
  readonly start?: CouponFormValues;
  /** The picture that a new coupon is filled from. */
  readonly reading?: PictureReading | null;
  /** A file to fill a new coupon from at once; null where it was expected and has not come. */
  readonly shared?: File | null | undefined;
  /** Takes what was read in the picture that a new coupon may begin with; without it, there is no field for that picture. */
  readonly onRead?: ((reading: PictureReading) => void) | undefined;
  /** The picture whose codes are added one after the other. */
  readonly sheet: Sheet | null;
  readonly onSheet: (sheet: Sheet | null) => void;
  /** The server's refusal, shown at the fields that it names or else above the buttons. */
  readonly error: unknown;
  /** Shown for a failure without a message of its own. */
  readonly failText: string;
  readonly onDirtyChange: (isDirty: boolean) => void;
  readonly onSubmit: (payload: CouponPayload) => void;
}

/** The fields of a coupon with a preview of its ticket. */
export function CouponForm(props: CouponFormProps) {
  const {
    coupon,
    start = EMPTY_COUPON,
    reading = null,
    shared,
    onRead,
    sheet,
    onSheet,
    error,
    failText,
    onDirtyChange,
    onSubmit,
  } = props;
  const { user } = useViewer();
  const [form, draft] = useFormDraft<CouponFormValues>(
    coupon ? null : NEW_COUPON,
    {
      initialValues: coupon ? valuesOf(coupon) : start,
      validate: (values) => checkCoupon(values, new Date()),
    },
    ['code', 'pin'],
  );
  const { values } = form;
  useFilledForm(form, reading);
  const markOf = marksOf(reading, values);
  const check = useCodeCheck(values);
  useFirstCheck(check, values, reading);
  const validateButton = useRef<HTMLButtonElement>(null);
  const [isCutting, setIsCutting] = useState(false);
  /** @param doubt why the code may be bad */
  const askAnyway = (doubt: string) =>
    openDialog('confirm', {
      title: t`Add it anyway?`,
      text: t`This code did not pass our check: ${doubt} Buyers who cannot use it can claim their money back.`,
      confirmLabel: coupon ? t`Save anyway` : t`Add anyway`,
      cancelLabel: t`Go back`,
      act: () => onSubmit({ ...toPayload(values), acknowledgeDeadCode: true }),
    });

  const isDirty = form.isDirty();
  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange]);

  const focusFirst = (errors: object) => {
    const first = Object.keys(EMPTY_COUPON).find((field) => field in errors);
    if (first) form.getInputNode(first)?.focus();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per refusal, not on each keystroke
  useEffect(() => {
    const errors = serverErrors(error);
    form.setErrors(errors);
    const refusal = wireErrorOf(error);
    if (refusal?.code === 'code_dead') askAnyway(refusal.error);
    else focusFirst(errors);
  }, [error]);

  /** Whether somebody was asked for the PIN that a gift card may have. */
  const [isPinAsked, setIsPinAsked] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when its field is there
  useEffect(() => {
    if (isPinAsked) form.getInputNode('pin')?.focus();
  }, [isPinAsked]);

  /** A code must be checked first. One that did not pass needs a confirmation. */
  const submit = () => {
    if (values.code.trim() !== '' && check.result === null) {
      toasts.failure(TEXTS.validation.requiredTitle(), TEXTS.validation.requiredText());
      validateButton.current?.focus();
    } else if (!coupon && !isPinAsked && hasCode(values) && lacksPin(values)) {
      form.setFieldError('pin', t`Many gift cards have a PIN. Enter it, or add the coupon without one.`);
      setIsPinAsked(true);
    } else if (check.result?.valid === false) {
      askAnyway(check.result.message);
    } else {
      onSubmit(toPayload(values));
    }
  };

  const pictures = (
    <CodePictures
      form={form}
      coupon={coupon}
      reading={reading}
      sheet={sheet}
      onSheet={onSheet}
      onCutting={setIsCutting}
    />
  );
  return (
    <form noValidate onSubmit={form.onSubmit(submit, focusFirst)}>
      <div className={classes.columns}>
        <Stack>
          <DraftNotice {...draft} missing={t`We did not keep the code.`} />
          {reading && <ReadingNotice reading={reading} />}
          {!coupon && !reading && !sheet && onRead && (
            <FirstStep
              shared={shared}
              onRead={onRead}
              onScanned={(code) => form.setFieldValue('code', code)}
            />
          )}
          {reading && pictures}
          <TextInput
            label={t`Title`}
            placeholder={t`$10 off any order`}
            required
            maxLength={TITLE_MAX}
            data-autofocus
            {...markOf('title')}
            {...form.getInputProps('title')}
          />
          <div className={classes.pair}>
            <TextInput
              label={t`Merchant`}
              placeholder={t`Where you can use it`}
              required
              maxLength={MERCHANT_MAX}
              {...markOf('merchant')}
              {...form.getInputProps('merchant')}
            />
            <Select
              label={t`Category`}
              placeholder={t`Choose one`}
              required
              allowDeselect={false}
              disabled={coupon && PERSONAL_CATEGORIES.includes(coupon.category)}
              data={categoryChoices(coupon?.category).map((value) => ({
                value,
                label: CATEGORY_NAMES[value],
              }))}
              {...markOf('category')}
              {...form.getInputProps('category')}
            />
          </div>
          <WorthFields form={form} markOf={markOf} />
          <ExpiryFields form={form} markOf={markOf} />
          <DescriptionField form={form} markOf={markOf} />
          <OfferPicture form={form} stored={coupon?.imageUrl ?? null} />
          <CodeField
            form={form}
            check={check}
            buttonRef={validateButton}
            description={
              markOf('code').description ??
              (coupon?.hasCode
                ? t`Leave empty to keep the stored code. We encrypt a new one and show it only to you.`
                : t`Optional. We encrypt it and show it to no one until a deal is complete. No one can list the same code twice.`)
            }
          />
          {!reading && pictures}
          <OptionalFields form={form} markOf={markOf} />
        </Stack>
        <aside className={classes.preview} aria-label={t`Preview`}>
          <Text size="sm" fw={600} mb={8} aria-hidden="true">
            <Trans>How others will see it</Trans>
          </Text>
          {/* The fields say all of this already. */}
          <div aria-hidden="true">
            <CouponTicket
              coupon={{
                ...previewOf(values, coupon),
                ownerUsername: user?.username,
                hasCode: hasCode(values) || coupon?.hasCode === true,
                codePreview: null,
              }}
              isLinked={false}
            />
          </div>
        </aside>
      </div>
      <DialogFooter
        isSticky
        notice={
          error !== null &&
          Object.keys(serverErrors(error)).length === 0 && (
            <Alert color="red" mb="sm" role="alert" icon={<IconAlertCircle aria-hidden="true" />}>
              {writeErrorText(error, failText)}
            </Alert>
          )
        }
        submitLabel={coupon ? t`Save changes` : t`Add coupon`}
        isDisabled={check.isPending || isCutting}
      />
    </form>
  );
}

/** Whether a code is given, as text or as a picture. */
function hasCode({ code, qrCodeUrl, barcodeUrl }: CouponFormValues): boolean {
  return code.trim() !== '' || Boolean(qrCodeUrl || barcodeUrl);
}

/** The server's errors by field of the form. */
function serverErrors(error: unknown): Record<string, string> {
  const refused = Object.entries(fieldErrors(error)).map(([path, message]) => [fieldOf(path), message]);
  return Object.fromEntries(refused.filter(([field]) => field !== undefined && field in EMPTY_COUPON));
}
