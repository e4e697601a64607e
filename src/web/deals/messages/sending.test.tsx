import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { MESSAGE_MAX } from '#contract/deals/messages.ts';
import { move } from '#tests/support/exchanges.ts';
import { press } from '#tests/support/web/acts.ts';
import { setUpMessages } from '#tests/support/web/messages.tsx';
import { brokenAnswer } from '#tests/support/web/server.tsx';

const { server, rob, olga, exchange, read, show, log, field, sendButton, type, row } = setUpMessages();

describe('sending a message', () => {
  it.each(['', '   \n '])('is disabled for %j [spec/2 5.8]', async (text) => {
    await exchange();
    show(rob);
    await type(`${text}x`);
    expect(sendButton().disabled).toBe(false);
    await type(text);
    expect(sendButton().disabled).toBe(true);
  });

  it("with Enter clears the field and shows 'Message sent'; Shift and Enter do not send [spec/2 5.9]", async () => {
    const id = await exchange();
    show(rob);
    await type('Hello olga');
    fireEvent.keyDown(await field(), { key: 'Enter', shiftKey: true });
    expect((await field()).value).toBe('Hello olga');
    fireEvent.keyDown(await field(), { key: 'Enter' });
    expect((await field()).value).toBe('');
    await screen.findByText(TEXTS.messages.sent());
    expect(within(await log()).getAllByText('Hello olga')).toHaveLength(1);
    expect((await read(olga, id)).map(({ content }) => content)).toEqual(['Hello olga']);
  });

  it('is disabled while another message is being sent', async () => {
    await exchange();
    show(rob);
    await type('One');
    fireEvent.click(sendButton());
    expect(await screen.findByText('Sending…')).toBeTruthy();
    await type('Two');
    expect(sendButton().disabled).toBe(true);
    await screen.findByText(TEXTS.messages.sent());
    expect(sendButton().disabled).toBe(false);
  });

  it('keeps the text after a failure; Retry uses the same key, so that it is stored once [spec/2 8.10]', async () => {
    const id = await exchange();
    let failures = 1;
    show(rob, '/messages', (call) => {
      if (call !== 'messages.send' || failures === 0) return undefined;
      failures -= 1;
      return brokenAnswer();
    });
    await type('Are you there?');
    fireEvent.click(sendButton());
    await screen.findByText(TEXTS.messages.sendFailed());
    expect(screen.getByText('Error')).toBeTruthy();
    await screen.findByText('Not sent');
    expect(within(await log()).getByText('Are you there?')).toBeTruthy();
    press('Retry');
    await screen.findByText(TEXTS.messages.sent());
    await waitFor(() => expect(screen.queryByText('Not sent')).toBeNull());
    expect(await read(olga, id)).toHaveLength(1);
  });

  it('is refused beyond 2,000 characters, with the number of them', async () => {
    await exchange();
    show(rob);
    await type('x'.repeat(MESSAGE_MAX - 3));
    await screen.findByText('3 characters left');
    await type('x'.repeat(MESSAGE_MAX + 2));
    await screen.findByText('2 characters too many');
    expect(sendButton().disabled).toBe(true);
  });

  it('keeps a draft for each conversation', async () => {
    const first = await exchange({ requested: 'Cake' });
    await exchange({ requested: 'Bread' });
    show(rob, `/messages?exchange=${first}`);
    await type('About the cake');
    fireEvent.click(await row(/Bread/));
    await waitFor(async () => expect((await field()).value).toBe(''));
    fireEvent.click(await row(/Cake/));
    await waitFor(async () => expect((await field()).value).toBe('About the cake'));
  });

  it.each(['rejected', 'cancelled'] as const)(
    'is blocked, with a note, once the exchange is %s [spec/2 4.5]',
    async (end) => {
      const id = await exchange();
      await move(server.ctx, end === 'rejected' ? olga : rob, id, end);
      show(rob);
      await screen.findByText(`This exchange has been ${end}. You cannot send more messages.`);
      expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
    },
  );

  it('shows that the exchange has ended meanwhile [spec/2 4.5]', async () => {
    const id = await exchange();
    show(rob);
    await type('Too late?');
    await move(server.ctx, olga, id, 'rejected');
    fireEvent.click(sendButton());
    await waitFor(() =>
      expect(screen.getAllByText(TEXTS.messages.closed('exchange', 'rejected'))).toHaveLength(2),
    );
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });
});
