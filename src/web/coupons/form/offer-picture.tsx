import { t } from '@lingui/core/macro';
import type { UseFormReturnType } from '@mantine/form';
import { PublicPictureField } from '#web/components/public-picture-field.tsx';
import type { CouponFormValues } from './coupon-form-values.ts';

interface OfferPictureProps {
  readonly form: UseFormReturnType<CouponFormValues>;
  /** The picture that the coupon has. */
  readonly stored: string | null;
}

/** The picture of the offer: chosen, dropped or pasted. */
export function OfferPicture({ form, stored }: OfferPictureProps) {
  return (
    <PublicPictureField
      kind="picture"
      label={t`Picture of the offer`}
      description={t`Optional. Everyone can see it, so it must not show the code.`}
      url={form.values.imageUrl === undefined ? stored : form.values.imageUrl}
      error={form.errors.imageUrl}
      onChange={(url) => {
        form.setFieldValue('imageUrl', url);
        form.clearFieldError('imageUrl');
      }}
    />
  );
}
