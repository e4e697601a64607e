import { t } from '@lingui/core/macro';
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { type ChangeEvent, type FocusEvent, useState } from 'react';

/** A required password, with a button that shows it. */
export function PasswordField(props: PasswordInputProps) {
  const visibilityToggleButtonProps = { 'aria-label': t`Show or hide the password`, tabIndex: 0 };
  return <PasswordInput required visibilityToggleButtonProps={visibilityToggleButtonProps} {...props} />;
}

interface RepeatedPasswordProps extends PasswordInputProps {
  /** What it must be equal to. */
  readonly password: string;
  /** Shown while the two differ. */
  readonly differsText: string;
}

/** The password once more: says that it differs as soon as both are typed. */
export function RepeatedPassword(all: RepeatedPasswordProps) {
  const { password, differsText, error, onChange, onBlur, ...props } = all;
  const [repeated, setRepeated] = useState('');
  const [isLeft, setIsLeft] = useState(false);
  // The beginning of the password may yet become the whole.
  const isUnfinished = !isLeft && password.startsWith(repeated);
  const differs = password !== '' && repeated !== '' && repeated !== password && !isUnfinished;
  return (
    <PasswordField
      {...props}
      error={error ?? (differs && differsText)}
      onChange={(event: ChangeEvent<HTMLInputElement>) => {
        setRepeated(event.currentTarget.value);
        setIsLeft(false);
        onChange?.(event);
      }}
      onBlur={(event: FocusEvent<HTMLInputElement>) => {
        setIsLeft(true);
        onBlur?.(event);
      }}
    />
  );
}
