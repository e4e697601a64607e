import { make, style } from './dom.ts';

/** The bank's page, in front of ours. Closing it fails, as at a bank. */
export function askTheBank(): Promise<'pass' | 'fail'> {
  return new Promise((resolve) => {
    const page = getComputedStyle(document.body);
    const [ground, ink] = [page.backgroundColor, page.color];
    const button = (text: string, outcome: 'pass' | 'fail', colors: Partial<CSSStyleDeclaration>) => {
      const node = make('button', { type: 'button' }, text);
      style(node, { minHeight: '44px', padding: '0 20px', borderRadius: '22px', cursor: 'pointer' });
      style(node, { border: `1px solid ${ink}`, font: 'inherit', fontWeight: '600', ...colors });
      node.addEventListener('click', () => dialog.close(outcome));
      return node;
    };
    const title = make('h2', { id: 'sandbox-bank-title' }, 'Test bank: 3-D Secure');
    const text = make(
      'p',
      { id: 'sandbox-bank-text' },
      'A real bank would now ask you to confirm this payment.',
    );
    const buttons = make(
      'div',
      {},
      button('Complete authentication', 'pass', { background: ink, color: ground }),
      button('Fail authentication', 'fail', { background: 'transparent', color: ink }),
    );
    const dialog = make(
      'dialog',
      { 'aria-labelledby': title.id, 'aria-describedby': text.id },
      style(title, { margin: '0 0 8px' }),
      style(text, { margin: '0 0 20px' }),
      style(buttons, { display: 'flex', flexWrap: 'wrap', gap: '12px' }),
    );
    style(dialog, { maxWidth: '26rem', padding: '24px', borderRadius: '16px', border: `1px solid ${ink}` });
    style(dialog, { background: ground, color: ink, fontFamily: page.fontFamily, margin: 'auto' });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'pass' ? 'pass' : 'fail');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
