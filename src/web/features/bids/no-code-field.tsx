import { Checkbox, type CheckboxProps } from '@mantine/core';
import { NoCodeNote } from '#web/components/deal-notes.tsx';

/** What a bidder has to know about a coupon without a code, and their word that they do. */
export function NoCodeField({ ownerUsername, ...props }: CheckboxProps & { readonly ownerUsername: string }) {
  return (
    <>
      <NoCodeNote>
        Nothing will be revealed to you when you have paid: {ownerUsername} has to hand the coupon over.
      </NoCodeNote>
      <Checkbox {...props} />
    </>
  );
}
