/** How a seller may leave the set-up. */
export type SetUpChoice = 'finish' | 'incomplete' | 'leave';

const CHOICES: readonly { choice: SetUpChoice; label: string; hint: string }[] = [
  { choice: 'finish', label: 'Finish set-up', hint: 'Everything is filled in: you can be paid at once.' },
  {
    choice: 'incomplete',
    label: 'Finish without the identity document',
    hint: 'The account is restricted until the document is there.',
  },
  { choice: 'leave', label: 'Leave without finishing', hint: 'You can come back and go on later.' },
];

/** The seller's set-up: three ways for it to end. */
export function setUpPage(): string {
  const choices = CHOICES.map(
    ({ choice, label, hint }, index) => `<li>
<button type="submit" name="choice" value="${choice}" aria-describedby="hint-${choice}"${index === 0 ? ' class="first"' : ''}>${label}</button>
<p id="hint-${choice}">${hint}</p>
</li>`,
  );
  return hostedPage(`<h1>Get paid through ClipSwap</h1>
<p>On Stripe's real page you would now enter your name and address, show an identity document and name a bank account. Here nothing is asked and nothing is sent.</p>
<form method="post">
<ul>
${choices.join('\n')}
</ul>
</form>`);
}

/** A link that nobody has made. */
export function unknownLinkPage(): string {
  return hostedPage(`<h1>This link is not known</h1>
<p>Go back to ClipSwap and start the set-up again: it makes a new link.</p>`);
}

/** A whole page around a content that is HTML already. Styles come from a file: nothing is inline. */
function hostedPage(content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Stripe sandbox</title>
<link rel="stylesheet" href="../hosted.css">
</head>
<body>
<header><p class="brand">Stripe <span>sandbox</span></p></header>
<main>
<p class="notice"><strong>No real money moves.</strong> This page stands in for Stripe, and no real account is made.</p>
${content}
</main>
</body>
</html>
`;
}
