import { Button, MantineProvider, TextInput } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { press } from '#web/testing/acts.ts';
import { renderFor } from '#web/testing/render.tsx';
import { ConfirmDialog, Dialog, DialogForm } from './dialog.tsx';

afterEach(() => vi.unstubAllGlobals());

const dialog = (name: string) => screen.getByRole('dialog', { name });
const pressEscape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
const isGone = (name: string) => waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull());
const hasFocus = (name: string) =>
  waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name })));

/** A form dialog and a confirmation on top of it: every dialog of the product is one of these two. */
function Page({ isPending = false, isLinked = false }) {
  const [isOpen, setIsOpen] = useState(isLinked);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Write</Button>
      <Dialog opened={isOpen} title="Letter" isPending={isPending} onClose={() => setIsOpen(false)}>
        <DialogForm submitLabel="Send" onSubmit={(event) => event.preventDefault()}>
          <TextInput label="Text" />
          <Button onClick={() => setIsAsking(true)}>Tear up</Button>
        </DialogForm>
        <ConfirmDialog
          opened={isAsking}
          title="Really?"
          confirmLabel="Yes"
          onConfirm={() => {
            setIsAsking(false);
            setIsOpen(false);
          }}
          onClose={() => setIsAsking(false)}
        >
          It cannot be read again.
        </ConfirmDialog>
      </Dialog>
    </>
  );
}

describe('a dialog', () => {
  it.each([
    ['its close button', () => press('Close')],
    ['the button in its footer', () => press('Cancel')],
    ['Escape', pressEscape],
  ])('closes with %s and returns the focus to the element that opened it', async (_what, close) => {
    renderFor(null, <Page />);
    screen.getByRole('button', { name: 'Write' }).focus();
    press('Write');
    await waitFor(() => expect(dialog('Letter').contains(document.activeElement)).toBe(true));
    close();
    await isGone('Letter');
    await hasFocus('Write');
  });

  it('returns the focus even if it is open from its first render', async () => {
    renderFor(
      null,
      <>
        <input ref={(input) => input?.focus()} aria-label="Before" />
        <Page isLinked />
      </>,
    );
    await waitFor(() => expect(dialog('Letter').contains(document.activeElement)).toBe(true));
    pressEscape();
    await isGone('Letter');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Before')));
  });

  it('moves the focus to its fallback if its action has removed the element that opened it', async () => {
    function List() {
      const [isOpen, setIsOpen] = useState(false);
      const [isListed, setIsListed] = useState(true);
      const remove = () => {
        setIsListed(false);
        setIsOpen(false);
      };
      return (
        <>
          <div id="list" tabIndex={-1}>
            {isListed && <Button onClick={() => setIsOpen(true)}>Remove</Button>}
          </div>
          <Dialog opened={isOpen} title="Letter" fallbackFocusId="list" onClose={() => setIsOpen(false)}>
            <Button onClick={remove}>Yes</Button>
          </Dialog>
        </>
      );
    }
    renderFor(null, <List />);
    for (const [name, focused] of [
      ['Close', () => screen.getByRole('button', { name: 'Remove' })],
      ['Yes', () => document.getElementById('list')],
    ] as const) {
      screen.getByRole('button', { name: 'Remove' }).focus();
      press('Remove');
      await waitFor(() => expect(dialog('Letter').contains(document.activeElement)).toBe(true));
      press(name);
      await isGone('Letter');
      await waitFor(() => expect(document.activeElement).toBe(focused()));
    }
  });

  it('cannot be closed while its form is pending', async () => {
    renderFor(
      null,
      <Dialog opened title="Letter" onClose={() => expect.unreachable()}>
        <DialogForm isPending submitLabel="Send" onSubmit={(event) => event.preventDefault()}>
          <TextInput label="Text" />
        </DialogForm>
      </Dialog>,
    );
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Close' })).toHaveProperty('disabled', true),
    );
    expect(screen.getByRole('button', { name: 'Send' }).matches('[data-loading]')).toBe(true);
    press('Cancel');
    pressEscape();
  });

  it('in front of another one closes alone on Escape', async () => {
    renderFor(null, <Page isLinked />);
    press('Tear up', dialog('Letter'));
    await waitFor(() => expect(dialog('Really?').contains(document.activeElement)).toBe(true));
    pressEscape();
    await isGone('Really?');
    dialog('Letter');
    pressEscape();
    await isGone('Letter');
  });

  it('that asks before it closes asks once per press of Escape', async () => {
    function Draft() {
      const [isAsking, setIsAsking] = useState(false);
      return (
        <>
          <Dialog opened title="Letter" onClose={() => setIsAsking(true)}>
            <input />
          </Dialog>
          <ConfirmDialog
            opened={isAsking}
            title="Really?"
            confirmLabel="Yes"
            onConfirm={() => {}}
            onClose={() => setIsAsking(false)}
          >
            It is not sent yet.
          </ConfirmDialog>
        </>
      );
    }
    renderFor(null, <Draft />);
    pressEscape();
    dialog('Really?');
    pressEscape();
    await isGone('Really?');
    dialog('Letter');
  });

  it('leaves Escape to an open list inside it', () => {
    renderFor(null, <Page isLinked />);
    const field = screen.getByLabelText('Text');
    field.dataset.mantineStopPropagation = 'true';
    fireEvent.keyDown(field, { key: 'Escape' });
    dialog('Letter');
    field.dataset.mantineStopPropagation = 'false';
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(screen.queryByRole('dialog', { name: 'Letter' })).toBeNull();
  });

  it.each([
    ['a phone', false],
    ['a desk', true],
  ])('on %s is smaller than the screen: %s', (_what, isWide) => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.startsWith('(min-width') && isWide,
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
    renderFor(null, <Page isLinked />);
    const root = dialog('Letter').closest('.mantine-Modal-root');
    expect(root?.hasAttribute('data-full-screen')).toBe(!isWide);
  });
});
describe('in the history, a dialog', () => {
  const entries = () => window.history.length;
  const depth = () => window.history.state?.dialogs ?? 0;
  const isAt = (expected: number) => waitFor(() => expect(depth()).toBe(expected));
  const goBack = () => act(() => window.history.back());

  it('closes on Back, and the page stays [decisions 6.0.2]', async () => {
    renderFor(null, <Page />);
    await isAt(0);
    const { href } = window.location;
    press('Write');
    await isAt(1);
    goBack();
    await isGone('Letter');
    await isAt(0);
    expect(window.location.href).toBe(href);
  });

  it('in front of another one closes alone on Back [decisions 6.0.2]', async () => {
    renderFor(null, <Page isLinked />);
    await isAt(1);
    press('Tear up', dialog('Letter'));
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
    renderFor(null, <Page isLinked isPending />);
    await isAt(1);
    goBack();
    await isAt(0);
    await isAt(1);
    dialog('Letter');
  });

  it('adds no entry where the address says that it is open', async () => {
    renderFor(
      null,
      <Dialog opened isInAddress title="Letter" onClose={() => {}}>
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
  it('shows the pending label and accepts no second press', () => {
    const onConfirm = vi.fn();
    const onClose = vi.fn();
    renderFor(
      null,
      <ConfirmDialog
        opened
        isPending
        title="Really?"
        confirmLabel="Yes"
        pendingLabel="Tearing up …"
        onConfirm={onConfirm}
        onClose={onClose}
      >
        It cannot be read again.
      </ConfirmDialog>,
    );
    press('Tearing up …');
    press('Keep as it is');
    pressEscape();
    expect(onConfirm).not.toHaveBeenCalled();
    expect(onClose).not.toHaveBeenCalled();
  });
});

it('keeps its content while it fades out', async () => {
  const show = (title: string, children: string, opened: boolean) => (
    <MantineProvider>
      <Dialog title={title} opened={opened} onClose={() => {}}>
        {children}
      </Dialog>
    </MantineProvider>
  );
  const { rerender } = render(show('Letter', 'Dear Mia', true));
  await screen.findByText('Dear Mia');
  rerender(show('', 'Nobody', false));
  within(dialog('Letter')).getByText('Dear Mia');
  await isGone('Letter');
});
