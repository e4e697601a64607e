import { escapeHtml } from '#server/core/html.ts';
import { type Choice, choicesForm } from '../hosted-pages.ts';

/** How a seller may leave the set-up. */
export type SetUpOutcome = 'ready' | 'unconfirmed' | 'limited';

const CHOICES: readonly Choice<SetUpOutcome>[] = [
  { name: 'ready', label: 'Finish set-up', hint: 'You can be paid at once.' },
  {
    name: 'unconfirmed',
    label: 'Finish without confirming the e-mail',
    hint: 'Payments wait until the address is confirmed.',
  },
  { name: 'limited', label: 'Finish with a limited account', hint: 'The account cannot take payments.' },
];

/** The seller's set-up: three ways for it to end. */
export function setUpPage(trackingId: string): string {
  return `<h1>Link your PayPal account with ClipSwap</h1>
<p>ClipSwap asks to take payments for you, to refund them, and to see whether your account can be paid.</p>
<p>Your reference: <code>${escapeHtml(trackingId)}</code></p>
${choicesForm('outcome', CHOICES)}`;
}

/** A link works once. */
export function usedPage(): string {
  return `<h1>This link has been used</h1>
<p>Go back to ClipSwap and start the set-up again: it makes a new link.</p>`;
}
