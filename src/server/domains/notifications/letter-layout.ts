import { escapeHtml } from '#server/core/html.ts';
import type { Letter } from './letters.ts';

/** The letter for programs and people that read plain text. */
export function textOf(letter: Letter): string {
  const { heading, paragraphs, button, reason, unsubscribe } = letter;
  const parts = [
    heading,
    ...paragraphs,
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    // Mail programs cut a signature off at this line.
    `-- \nClipSwap\n${reason}`,
    ...(unsubscribe ? [`${unsubscribe.label}:\n${unsubscribe.url}`] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

/**
 * Light and dark by the reader's own choice. What counts stands at the elements too, for mail programs that drop
 * this sheet; the colours are those of the site, with contrast of at least 4.5 on their grounds.
 */
const SHEET = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: #151210 !important; }
  .sheet { background: #1b1714 !important; border-color: #453c34 !important; }
  .ink { color: #f3ece2 !important; }
  .faint { color: #bdb1a3 !important; }
  .brand { color: #ef9b81 !important; }
}`;

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The letter with its looks. Everything in it is escaped; nothing is loaded from anywhere. */
export function htmlOf(letter: Letter): string {
  const { heading, paragraphs, button, reason, unsubscribe } = letter;
  const body = paragraphs.map(
    (text) => `<p class="ink" style="margin:0 0 16px;color:#241c15">${escapeHtml(text)}</p>`,
  );
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(heading)}</title>
<style>${SHEET}
</style>
</head>
<body class="ground" style="margin:0;padding:24px 12px;background:#faf6ef;font-size:16px;line-height:1.5;${FONT}">
<div role="article" aria-label="${escapeHtml(heading)}" style="max-width:560px;margin:0 auto">
<p class="brand" style="margin:0 0 12px;font-size:20px;font-weight:800;color:#a83717">ClipSwap</p>
<div class="sheet" style="padding:24px;border:1px solid #e7ddcc;border-radius:12px;background:#ffffff">
<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:1.3;color:#241c15">${escapeHtml(heading)}</h1>
${body.join('\n')}
${button ? buttonHtml(button) : ''}
</div>
<p class="faint" style="margin:20px 0 0;font-size:14px;color:#6a5e4e">${escapeHtml(reason)}</p>
${unsubscribe ? `<p style="margin:8px 0 0;font-size:14px"><a class="faint" style="color:#6a5e4e" href="${escapeHtml(unsubscribe.url)}">${escapeHtml(unsubscribe.label)}</a></p>` : ''}
</div>
</body>
</html>
`;
}

function buttonHtml({ label, url }: { label: string; url: string }): string {
  const style =
    'display:inline-block;padding:12px 24px;border-radius:24px;background:#a83717;color:#ffffff;font-weight:600;text-decoration:none';
  return `<p style="margin:24px 0 0"><a style="${style}" href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`;
}
