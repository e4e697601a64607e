import {
  Alert,
  Button,
  Group,
  Input,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect, useId } from 'react';
import { type Coupon, PERSONAL_CATEGORIES } from '#contract/coupons.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { fieldErrors, writeErrorText } from '#web/lib/errors.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { CATEGORY_NAMES } from './categories.ts';
import classes from './coupon-form.module.css';
import {
  type CouponFormValues,
  type CouponPayload,
  categoryChoices,
  checkCoupon,
  EMPTY_COUPON,
  fieldOf,
  previewOf,
  toPayload,
  valuesOf,
} from './coupon-form-values.ts';

interface CouponFormProps {
  /** The coupon to edit; without one a new coupon is made. */
  readonly coupon?: Coupon;
  readonly isPending: boolean;
  /** What the server refused: it stands at the fields at fault, or above the buttons. */
  readonly error: unknown;
  /** What is said of a failure that has no words of its own. */
  readonly failText: string;
  readonly onDirtyChange: (isDirty: boolean) => void;
  readonly onSubmit: (payload: CouponPayload) => void;
  readonly onCancel: () => void;
}

const DISCOUNT_TYPES = [
  { value: 'fixed', label: 'Fixed amount' },
  { value: 'percentage', label: 'Percentage' },
];

/** A coupon's fields, and beside them the ticket they make. What is typed stays until it is stored. */
export function CouponForm(props: CouponFormProps) {
  const { coupon, isPending, error, failText, onDirtyChange, onSubmit, onCancel } = props;
  const { user } = useViewer();
  const form = useForm<CouponFormValues>({
    initialValues: coupon ? valuesOf(coupon) : EMPTY_COUPON,
    validate: (values) => checkCoupon(values, new Date()),
  });
  const { values } = form;
  const isPercentage = values.discountType === 'percentage';
  const typeId = useId();

  const isDirty = form.isDirty();
  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange]);

  const focusFirst = (errors: object) => {
    const first = Object.keys(EMPTY_COUPON).find((field) => field in errors);
    if (first) form.getInputNode(first)?.focus();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal, not for each keystroke after it
  useEffect(() => {
    const errors = refusedFields(error);
    form.setErrors(errors);
    focusFirst(errors);
  }, [error]);

  return (
    <form noValidate onSubmit={form.onSubmit(() => onSubmit(toPayload(values)), focusFirst)}>
      <div className={classes.columns}>
        <Stack>
          <TextInput
            label="Title"
            placeholder="$10 off any order"
            required
            maxLength={120}
            data-autofocus
            {...form.getInputProps('title')}
          />
          <div className={classes.pair}>
            <TextInput
              label="Merchant"
              placeholder="Who takes it"
              required
              maxLength={80}
              {...form.getInputProps('merchant')}
            />
            <Select
              label="Category"
              placeholder="Choose one"
              required
              allowDeselect={false}
              disabled={coupon && PERSONAL_CATEGORIES.includes(coupon.category)}
              data={categoryChoices(coupon?.category).map((value) => ({
                value,
                label: CATEGORY_NAMES[value],
              }))}
              {...form.getInputProps('category')}
            />
          </div>
          <div className={classes.pair}>
            <Input.Wrapper label="Discount type" labelElement="div" labelProps={{ id: typeId }}>
              <SegmentedControl
                fullWidth
                classNames={{ label: classes.segment }}
                aria-labelledby={typeId}
                data={DISCOUNT_TYPES}
                {...form.getInputProps('discountType')}
              />
            </Input.Wrapper>
            <TextInput
              label={isPercentage ? 'Value (%)' : 'Value (CAD)'}
              placeholder={isPercentage ? '20' : '10.00'}
              required
              inputMode="decimal"
              maxLength={12}
              {...form.getInputProps('value')}
            />
          </div>
          <div className={classes.pair}>
            <TextInput
              type="date"
              label="Expiry date"
              required={!values.hasNoExpiry}
              disabled={values.hasNoExpiry}
              min={new Date().toISOString().slice(0, 10)}
              {...form.getInputProps('expiryDate')}
            />
            <Switch
              className={classes.switch}
              label="No expiry"
              {...form.getInputProps('hasNoExpiry', { type: 'checkbox' })}
            />
          </div>
          <Textarea
            label="Description"
            placeholder="What it is good for, and where"
            required
            rows={4}
            resize="vertical"
            maxLength={2_000}
            {...form.getInputProps('description')}
          />
          <TextInput
            label="Coupon code"
            description={
              coupon?.hasCode
                ? 'Leave blank to keep the stored code. A new one is encrypted and shown to nobody but you.'
                : 'Optional. It is encrypted, shown to nobody until a swap is complete, and cannot be listed twice.'
            }
            maxLength={200}
            autoComplete="off"
            autoCapitalize="off"
            classNames={{ input: classes.code }}
            spellCheck={false}
            {...form.getInputProps('code')}
          />
          <Textarea
            label="Terms"
            description="Optional. Minimum spend, exclusions, where it counts"
            rows={3}
            resize="vertical"
            maxLength={2_000}
            {...form.getInputProps('terms')}
          />
        </Stack>
        <aside className={classes.preview} aria-label="Preview">
          <Text size="sm" fw={600} mb={8} aria-hidden="true">
            How others will see it
          </Text>
          {/* The fields say all of this already. */}
          <div aria-hidden="true">
            <CouponTicket
              coupon={{
                ...previewOf(values, { id: coupon?.id ?? 0, ownerId: 0 }),
                ownerUsername: user?.username,
                hasCode: values.code.trim() !== '' || coupon?.hasCode === true,
              }}
              isLinked={false}
            />
          </div>
        </aside>
      </div>
      {error !== null && Object.keys(refusedFields(error)).length === 0 && (
        <Alert color="red" mt="md" role="alert" icon={<IconAlertCircle aria-hidden="true" />}>
          {writeErrorText(error, failText)}
        </Alert>
      )}
      <Group className={classes.buttons} justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel} disabled={isPending}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          {coupon ? 'Save changes' : 'Add coupon'}
        </Button>
      </Group>
    </form>
  );
}

/** What the server has against single fields of the form. */
function refusedFields(error: unknown): Record<string, string> {
  const refused = Object.entries(fieldErrors(error)).map(([path, message]) => [fieldOf(path), message]);
  return Object.fromEntries(refused.filter(([field]) => field !== undefined && field in EMPTY_COUPON));
}
