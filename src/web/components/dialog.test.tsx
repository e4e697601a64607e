import { Button, MantineProvider, TextInput } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { Link, MemoryRouter } from 'react-router-dom';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { SessionUser } from '#contract/people/accounts.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderFor, somebody } from '#tests/support/web/render.tsx';
import { Toaster } from '#web/app/toaster.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { Dialog, DialogForm } from './dialog.tsx';
import { dialogOutlet } from './dialog-outlet.tsx';
import { preloadAll } from './on-demand.tsx';

/** Opens dialogs of the table below. */
const open = openDialog as (name: string, subject?: object) => Promise<void>;

interface LetterProps {
  readonly isPending?: boolean;
  readonly isFormPending?: boolean;
  readonly confirm?: object;
  readonly onBurn?: () => void;
  readonly onClose: () => void;
}

/** A form, and a confirmation in front of it. */
function Letter({ isPending, isFormPending, confirm, onBurn, onClose }: LetterProps) {
  const question = { title: 'Really?', confirmLabel: 'Yes', text: 'It cannot be read again.', act: onClose };
  return (
    <Dialog title="Letter" isPending={isPending}>
      <DialogForm submitLabel="Send" isPending={isFormPending} onSubmit={(event) => event.preventDefault()}>
        <TextInput label="Text" />
        <Button onClick={() => open('confirm', { ...question, ...confirm })}>Tear up</Button>
        <Button
          onClick={() => {
            onBurn?.();
            onClose();
          }}
        >
          Burn
        </Button>
      </DialogForm>
    </Dialog>
  );
}

/** Asks before it closes. */
function Draft({ onClose }: LetterProps) {
  const ask = () => open('confirm', { title: 'Really?', confirmLabel: 'Yes', text: '', act: onClose });
  return (
    <Dialog title="Letter" onClose={ask}>
      <input />
    </Dialog>
  );
}

/** Has forgotten whom it greets when it closes, as a page may after an action. */
function Greeting({ onClose }: LetterProps) {
  const [name, setName] = useState('Mia');
  const forget = () => {
    setName('Nobody');
    onClose();
  };
  return (
    <Dialog title="Letter" onClose={forget}>
      Dear {name}
    </Dialog>
  );
}

const Dialogs = dialogOutlet(async () => ({
  confirm: () => import('./confirm.tsx'),
  letter: async () => ({ Component: Letter }),
  draft: async () => ({ Component: Draft }),
  greeting: async () => ({ Component: Greeting }),
}));
beforeAll(preloadAll);

const dialog = (name: string) => screen.getByRole('dialog', { name });
const pressEscape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
const isGone = (name: string) => waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull());
const hasFocus = (name: string) =>
  waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name })));
const isInside = (name: string) =>
  waitFor(() => expect(dialog(name).contains(document.activeElement)).toBe(true));

function Page(letter: Omit<LetterProps, 'onClose'>) {
  return (
    <>
      <Button onClick={() => open('letter', letter)}>Write</Button>
      <Link to="/elsewhere">Leave</Link>
      <Dialogs />
    </>
  );
}

async function openLetter(letter: Omit<LetterProps, 'onClose'> = {}) {
  renderFor(null, <Page {...letter} />);
  screen.getByRole('button', { name: 'Write' }).focus();
  press('Write');
  await isInside('Letter');
}

/** Opens the confirmation in front of the letter. */
async function openQuestion(confirm: object = {}) {
  await openLetter({ confirm });
  press('Tear up', dialog('Letter'));
  await isInside('Really?');
}

describe('a dialog', () => {
  it.each([
    ['its close button', () => press('Close')],
    ['the button in its footer', () => press('Cancel')],
    ['Escape', pressEscape],
  ])('closes with %s and returns the focus to the element that opened it', async (_what, close) => {
    await openLetter();
    close();
    await isGone('Letter');
    await hasFocus('Write');
  });

  it('moves the focus to what is around the element that opened it, if that is gone', async () => {
    function List() {
      const [isListed, setIsListed] = useState(true);
      return (
        <>
          <div id="list" tabIndex={-1}>
            {isListed && (
              <Button onClick={() => open('letter', { onBurn: () => setIsListed(false) })}>Write</Button>
            )}
          </div>
          <Dialogs />
        </>
      );
    }
    renderFor(null, <List />);
    screen.getByRole('button', { name: 'Write' }).focus();
    press('Write');
    await isInside('Letter');
    press('Burn');
    await isGone('Letter');
    await waitFor(() => expect(document.activeElement).toBe(document.getElementById('list')));
  });

  it('cannot be closed while its form is pending', async () => {
    await openLetter({ isFormPending: true });
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Close' })).toHaveProperty('disabled', true),
    );
    expect(screen.getByRole('button', { name: 'Send' }).matches('[data-loading]')).toBe(true);
    press('Cancel');
    pressEscape();
    dialog('Letter');
  });

  it('that asks before it closes asks once per press of Escape', async () => {
    renderFor(null, <Dialogs />);
    act(() => void open('draft'));
    pressEscape();
    dialog('Really?');
    pressEscape();
    await isGone('Really?');
    dialog('Letter');
  });

  it('leaves Escape to an open list inside it', async () => {
    await openLetter();
    const field = screen.getByLabelText('Text');
    field.dataset.mantineStopPropagation = 'true';
    fireEvent.keyDown(field, { key: 'Escape' });
    dialog('Letter');
    field.dataset.mantineStopPropagation = 'false';
    fireEvent.keyDown(field, { key: 'Escape' });
    await isGone('Letter');
  });

  it('closes with its page, and tells whoever opened it', async () => {
    renderFor(null, <Page />);
    const onClosed = vi.fn();
    act(() => void open('letter').then(onClosed));
    dialog('Letter');
    fireEvent.click(screen.getByText('Leave'));
    await isGone('Letter');
    expect(onClosed).toHaveBeenCalled();
  });

  it.each([
    ['a phone', false],
    ['a desk', true],
  ])('on %s is smaller than the screen: %s', async (_what, isWide) => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.startsWith('(min-width') && isWide,
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
    await openLetter();
    const root = dialog('Letter').closest('.mantine-Modal-root');
    expect(root?.hasAttribute('data-full-screen')).toBe(!isWide);
  });

  it('keeps its content while it fades out', async () => {
    render(
      <MantineProvider>
        <MemoryRouter>
          <ViewerProvider viewer={{ user: null, isLoading: false }}>
            <Dialogs />
          </ViewerProvider>
        </MemoryRouter>
      </MantineProvider>,
    );
    act(() => void open('greeting'));
    await screen.findByText('Dear Mia');
    pressEscape();
    within(dialog('Letter')).getByText('Dear Mia');
    await isGone('Letter');
  });

  it('is gone at once when somebody else is signed in', async () => {
    const pageOf = (user: SessionUser | null) => (
      <ViewerProvider viewer={{ user, isLoading: false }}>
        <Page />
      </ViewerProvider>
    );
    const { rerender } = renderFor(null, pageOf(somebody()));
    act(() => void open('letter'));
    rerender(pageOf(null));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('whose code cannot be loaded tells so, and opens at the next press', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const load = vi.fn(async () => ({ Component: Letter }));
    load.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    const Unreliable = dialogOutlet(async () => ({ letter: load }));
    renderFor(
      null,
      <>
        <Button onClick={() => open('letter')}>Write</Button>
        <Unreliable />
        <Toaster />
      </>,
    );
    expect(load).not.toHaveBeenCalled();
    press('Write');
    screen.getByRole('status', { name: 'Loading' });
    await screen.findByText('This could not be opened');
    expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull();
    press('Write');
    await screen.findByRole('dialog', { name: 'Letter' });
  });
});

describe('in the history, a dialog', () => {
  const entries = () => window.history.length;
  const depth = () => window.history.state?.dialogs ?? 0;
  const isAt = (expected: number) => waitFor(() => expect(depth()).toBe(expected));
  const goBack = () => act(() => window.history.back());

  it('closes on Back, and the page stays [decisions 6.0.2]', async () => {
    const { href } = window.location;
    await openLetter();
    await isAt(1);
    goBack();
    await isGone('Letter');
    await isAt(0);
    expect(window.location.href).toBe(href);
  });

  it('in front of another one closes alone on Back [decisions 6.0.2]', async () => {
    await openQuestion();
    await isAt(2);
    goBack();
    await isGone('Really?');
    dialog('Letter');
    goBack();
    await isGone('Letter');
    await isAt(0);
  });

  it('leaves no entry behind where a button closes it, alone or with the dialog behind it', async () => {
    renderFor(null, <Page />);
    for (const close of [
      () => press('Cancel'),
      async () => {
        press('Tear up', dialog('Letter'));
        await isAt(2);
        press('Yes', dialog('Really?'));
      },
    ]) {
      await isAt(0);
      press('Write');
      await isAt(1);
      await close();
      await isGone('Letter');
      await isAt(0);
    }
  });

  it('stays open on Back while its action is pending, and keeps its entry', async () => {
    await openLetter({ isPending: true });
    await isAt(1);
    goBack();
    await isAt(0);
    await isAt(1);
    dialog('Letter');
  });

  it('adds no entry where the address says that it is open', async () => {
    renderFor(
      null,
      <Dialog isOpenInAddress title="Letter" onClose={() => {}}>
        Dear Mia
      </Dialog>,
    );
    const before = entries();
    await screen.findByText('Dear Mia');
    await act(() => new Promise((done) => setTimeout(done, 0)));
    expect(entries()).toBe(before);
    expect(depth()).toBe(0);
  });

  it('that a navigation has closed is passed over on the way back and forward', async () => {
    renderFor(null, <Page />);
    await isAt(0);
    window.history.replaceState({ key: 'home' }, '');
    press('Write');
    await isAt(1);
    // As the router does on the way to another page, whose dialogs are closed.
    window.history.pushState({ key: 'elsewhere' }, '');
    press('Cancel');
    await isGone('Letter');
    goBack();
    await waitFor(() => expect(window.history.state).toEqual({ key: 'home' }));
    act(() => window.history.forward());
    await waitFor(() => expect(window.history.state).toEqual({ key: 'elsewhere' }));
  });
});

describe('a confirmation', () => {
  it('shows the pending label, accepts no second press, and closes when it is done', async () => {
    let answer = () => {};
    const act = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
    );
    await openQuestion({ act, pendingLabel: 'Tearing up …' });
    press('Yes');
    press('Tearing up …');
    press('Go back');
    pressEscape();
    dialog('Really?');
    expect(act).toHaveBeenCalledOnce();
    answer();
    await isGone('Really?');
  });

  it('tells that its action has failed, and stays', async () => {
    renderFor(null, <Toaster />);
    await openQuestion({ act: () => Promise.reject(new Error()), failed: ['Not torn', 'Use both hands.'] });
    press('Yes');
    await screen.findByText('Use both hands.');
    press('Go back');
    await isGone('Really?');
  });
});
