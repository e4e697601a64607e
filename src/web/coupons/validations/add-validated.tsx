import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { TITLE_MAX } from '#contract/coupons/limits.ts';
import type { ValidationDetails } from '#contract/coupons/validation.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { Surface } from '#web/components/surface.tsx';
import { isPersonal, NOT_LISTED } from '#web/coupons/core/wording.ts';
import {
  DescriptionField,
  ExpiryFields,
  TermsField,
  WorthFields,
} from '#web/coupons/form/coupon-form-fields.tsx';
import { type CouponFormValues, checkCoupon, fieldOf } from '#web/coupons/form/coupon-form-values.ts';
import { useCreateCoupon } from '#web/coupons/form/creating-queries.ts';
import { fieldErrors, writeErrorText } from '#web/lib/errors.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { toasts } from '#web/lib/toasts.ts';
import { isComplete, prefill, type Subject, toValidatedPayload } from './add-values.ts';
import classes from './validate.module.css';
import { worthText } from './wording.ts';

interface AddValidatedProps {
  readonly details: ValidationDetails;
  readonly subject: Subject;
}

/**
 * Adds a coupon with a valid code to the viewer's coupons: automatically if the verdict has all the fields, else with
 * a form for the missing ones.
 */
export function AddValidated({ details, subject }: AddValidatedProps) {
  const create = useCreateCoupon();
  const { mutateAsync } = create;
  const [added, setAdded] = useState<Coupon | null>(null);
  const form = useForm<CouponFormValues>({
    initialValues: prefill(details, subject),
    validate: (values) => checkCoupon(values, new Date()),
  });
  const { setErrors } = form;

  const add = async (values: CouponFormValues) => {
    try {
      setAdded(await mutateAsync(toValidatedPayload(values)));
    } catch (error) {
      setErrors(
        Object.fromEntries(Object.entries(fieldErrors(error)).map(([path, text]) => [fieldOf(path), text])),
      );
      toasts.failed(error, TEXTS.validation.addFailedTitle(), TEXTS.validation.addFailed());
    }
  };
  const addOnce = useRef(() => {
    if (isComplete(details, subject, new Date())) void add(form.values);
  });
  useEffect(() => {
    addOnce.current();
    // Once: React may mount a screen twice.
    addOnce.current = () => {};
  }, []);

  if (added) return <Added coupon={added} />;
  const worth = worthText(details);
  return (
    <Surface component="section" gap={12} bdrs="md" className={classes.add} aria-labelledby="add-validated">
      <Title order={2} size="h4" id="add-validated">
        <Trans>Add to My Coupons</Trans>
      </Title>
      <Text size="sm" c="dimmed">
        <Trans>{subject.merchant}. Please fill in what the check could not tell.</Trans>
      </Text>
      <form
        noValidate
        onSubmit={form.onSubmit(add, (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus())}
      >
        <Stack>
          <TextInput
            label={t`Title`}
            placeholder={t`20% off any order`}
            required
            maxLength={TITLE_MAX}
            {...form.getInputProps('title')}
          />
          <WorthFields
            form={form}
            hint={
              worth === null
                ? undefined
                : t`The code says ${worth}, but not in which currency. Please check the amount.`
            }
          />
          <ExpiryFields form={form} />
          <DescriptionField form={form} />
          {details.requirement !== null && <TermsField form={form} />}
          {create.error && (
            <Alert
              color="red"
              role="alert"
              icon={<IconAlertCircle aria-hidden="true" />}
              title={TEXTS.validation.addFailedTitle()}
            >
              {writeErrorText(create.error, TEXTS.validation.addFailed())}
            </Alert>
          )}
          <Button type="submit" loading={create.isPending}>
            <Trans>Add to My Coupons</Trans>
          </Button>
        </Stack>
      </form>
    </Surface>
  );
}

const PROMPT_DELAY_MS = 500;

/** The added coupon; after half a second it asks whether to view it (spec/3 section 4). */
function Added({ coupon }: { coupon: Coupon }) {
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    const ask = () =>
      openDialog('confirm', {
        title: t`Coupon added`,
        text: [
          t`“${coupon.title}” was added to your coupons.`,
          ...(isPersonal(coupon) ? [NOT_LISTED] : []),
          t`Do you want to view it in My Coupons?`,
        ].join(' '),
        confirmLabel: t`View in My Coupons`,
        cancelLabel: t`Stay here`,
        act: () => navigate(paths.myCoupon(coupon.id)),
      });
    const timer = window.setTimeout(ask, PROMPT_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <Surface
      component="section"
      gap={12}
      bdrs="md"
      className={classes.add}
      aria-label={t`Added to My Coupons`}
    >
      <Group gap={8} fw={600} role="status">
        <IconCircleCheck size={20} color="var(--success-ink)" aria-hidden="true" />{' '}
        <Trans>Added to My Coupons</Trans>
      </Group>
      <CouponTicket coupon={coupon} size="small" titleOrder={2} />
    </Surface>
  );
}
