import { type Choice, choicesForm } from '../hosted-pages.ts';

/** How a seller may leave the set-up. */
export type SetUpChoice = 'finish' | 'incomplete' | 'leave';

const CHOICES: readonly Choice<SetUpChoice>[] = [
  { name: 'finish', label: 'Finish set-up', hint: 'Everything is filled in: you can be paid at once.' },
  {
    name: 'incomplete',
    label: 'Finish without the identity document',
    hint: 'The account is restricted until the document is there.',
  },
  { name: 'leave', label: 'Leave without finishing', hint: 'You can come back and go on later.' },
];

/** The seller's set-up: three ways for it to end. */
export function setUpPage(): string {
  return `<h1>Get paid through ClipSwap</h1>
<p>On Stripe's real page you would now enter your name and address, show an identity document and name a bank account. Here nothing is asked and nothing is sent.</p>
${choicesForm('choice', CHOICES)}`;
}

/** A link that nobody has made. */
export function unknownLinkPage(): string {
  return `<h1>This link is not known</h1>
<p>Go back to ClipSwap and start the set-up again: it makes a new link.</p>`;
}
