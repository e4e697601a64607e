import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A required password, with a button that shows it. */
export function PasswordField(props: PasswordInputProps) {
  const visibilityToggleButtonProps = { 'aria-label': 'Show or hide the password', tabIndex: 0 };
  return <PasswordInput required visibilityToggleButtonProps={visibilityToggleButtonProps} {...props} />;
}
