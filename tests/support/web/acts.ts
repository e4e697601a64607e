import { fireEvent, screen, within } from '@testing-library/react';

/** Clicks the button of this name. */
export function press(name: string | RegExp, inside: HTMLElement = document.body): void {
  fireEvent.click(within(inside).getByRole('button', { name }));
}

/** Waits for the dialog of this name. */
export function dialog(name: string | RegExp): Promise<HTMLElement> {
  return screen.findByRole('dialog', { name });
}

/** Path and search of the current page, in what `renderWithServer` renders. */
export function address(): string | null {
  return screen.getByTestId('address').textContent;
}
