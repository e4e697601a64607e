/** How a seller may leave the set-up. */
export type SetUpOutcome = 'ready' | 'unconfirmed' | 'limited';

const CHOICES: readonly { outcome: SetUpOutcome; label: string; hint: string }[] = [
  { outcome: 'ready', label: 'Finish set-up', hint: 'You can be paid at once.' },
  {
    outcome: 'unconfirmed',
    label: 'Finish without confirming the e-mail',
    hint: 'Payments wait until the address is confirmed.',
  },
  {
    outcome: 'limited',
    label: 'Finish with a limited account',
    hint: 'The account cannot take payments.',
  },
];

/** A whole page around a content that is HTML already. Styles come from a file: nothing is inline. */
export function hostedPage(content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>PayPal sandbox</title>
<link rel="stylesheet" href="../hosted.css">
</head>
<body>
<header><p class="brand">PayPal <span>sandbox</span></p></header>
<main>
<p class="notice"><strong>No real money moves.</strong> This page stands in for PayPal, and no real account is made.</p>
${content}
</main>
</body>
</html>
`;
}

/** The seller's set-up: three ways for it to end. */
export function setUpPage(trackingId: string): string {
  const choices = CHOICES.map(
    ({ outcome, label, hint }, index) => `<li>
<button type="submit" name="outcome" value="${outcome}" aria-describedby="hint-${outcome}"${index === 0 ? ' class="first"' : ''}>${label}</button>
<p id="hint-${outcome}">${hint}</p>
</li>`,
  );
  return `<h1>Link your PayPal account with ClipSwap</h1>
<p>ClipSwap asks to take payments for you, to refund them, and to see whether your account can be paid.</p>
<p>Your reference: <code>${escapeHtml(trackingId)}</code></p>
<form method="post">
<ul>
${choices.join('\n')}
</ul>
</form>`;
}

/** A link works once. */
export function usedPage(): string {
  return `<h1>This link has been used</h1>
<p>Go back to ClipSwap and start the set-up again: it makes a new link.</p>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
