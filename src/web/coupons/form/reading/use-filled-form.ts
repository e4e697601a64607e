import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { type CouponFormValues, describedAs } from '../coupon-form-values.ts';
import { valuesOfReading } from './marks.tsx';
import type { PictureReading } from './use-picture-reading.ts';

/** Fills a form from a picture, as soon as it is read. Until it is changed, the description follows title and merchant. */
export function useFilledForm(
  form: UseFormReturnType<CouponFormValues>,
  reading: PictureReading | null,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a picture
  useLayoutEffect(() => {
    if (reading) form.setValues(valuesOfReading(reading, form.getValues()));
  }, [reading]);
  type Named = Partial<Pick<CouponFormValues, 'title' | 'merchant'>>;
  const follow = (before: Named, after: Named) => {
    const { title, merchant, description } = form.getValues();
    const told = (change: Named) => describedAs(change.title ?? title, change.merchant ?? merchant);
    if (reading && description === told(before)) form.setFieldValue('description', told(after));
  };
  form.watch('title', ({ value, previousValue }) => follow({ title: previousValue }, { title: value }));
  form.watch('merchant', ({ value, previousValue }) =>
    follow({ merchant: previousValue }, { merchant: value }),
  );
}

/** Checks the code of a picture at once, where its merchant is certain. */
export function useFirstCheck(
  { check }: { readonly check: () => void },
  { merchant, code }: CouponFormValues,
  reading: PictureReading | null,
): void {
  const isDone = useRef(false);
  const isCertain = reading?.facts?.merchant != null && !reading.facts.doubtful.includes('merchant');
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form is filled
  useEffect(() => {
    if (isDone.current || !isCertain || merchant === '' || code === '') return;
    isDone.current = true;
    check();
  }, [isCertain, merchant, code]);
}
