import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { Link, Outlet, RouterProvider, useLocation, useNavigate } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPageRouter, useBackAndEscape } from './dialog-history.ts';

/** Two dialogs, one in front of the other, and ways to another page. */
function First() {
  const [open, setOpen] = useState(0);
  const navigate = useNavigate();
  useBackAndEscape(open > 0, () => setOpen(0));
  useBackAndEscape(open > 1, () => setOpen(1));
  return (
    <>
      <p>First page, {open} open</p>
      <button type="button" onClick={() => setOpen(open + 1)}>
        Open
      </button>
      <button type="button" onClick={() => setOpen(0)}>
        Close
      </button>
      <button
        type="button"
        onClick={() => {
          setOpen(0);
          navigate('/second');
        }}
      >
        Close and leave
      </button>
      <button type="button" onClick={() => navigate('/second', { replace: true })}>
        Replace
      </button>
      <Link to="/second">Second</Link>
      <Link to="/loaded">Loaded on demand</Link>
    </>
  );
}

function Address() {
  return <output>{useLocation().pathname}</output>;
}

let load: () => void;
/** The traversals that the browser has not made yet. */
let pending: (() => void)[];
const realGo = window.history.go.bind(window.history);
/** As browsers do: relative to where the history stands when it happens. */
const traverse = () => act(async () => pending.shift()?.());
const depth = () => window.history.state?.dialogs ?? 0;
const press = (name: string) => fireEvent.click(screen.getByText(name));
/** Whatever has been put off to the next task. */
const nextTask = () => act(() => new Promise((done) => setTimeout(done, 5)));
const shows = (page: string) => waitFor(() => expect(screen.getByRole('status').textContent).toBe(page));
let router: ReturnType<typeof createPageRouter>;

beforeEach(() => {
  window.history.pushState(null, '', '/before');
  pending = [];
  vi.spyOn(window.history, 'go').mockImplementation((steps) => {
    pending.push(() => realGo(steps));
  });
  const loaded = new Promise<void>((resolve) => {
    load = resolve;
  });
  router = createPageRouter([
    {
      element: (
        <>
          <Address />
          <Outlet />
        </>
      ),
      children: [
        { path: '/before', element: <Link to="/first">First</Link> },
        { path: '/first', element: <First /> },
        { path: '/second', element: 'Second page' },
        {
          path: '/loaded',
          lazy: async () => {
            await loaded;
            return { element: 'Loaded page' };
          },
        },
      ],
    },
  ]);
  render(<RouterProvider router={router} />);
});
afterEach(() => {
  router.dispose();
});

/** Opens dialogs on the first page, each with its entry. */
async function openDialogs(count: number) {
  press('First');
  await shows('/first');
  for (let open = 1; open <= count; open += 1) {
    press('Open');
    await waitFor(() => expect(depth()).toBe(open));
  }
}

async function closeAndBeginToLeave(count = 1) {
  await openDialogs(count);
  press('Close');
  await waitFor(() => expect(pending).toHaveLength(1));
}

/** Lets the browser do all that is left to do, and expects it to end at the page. */
async function endsAt(page: string) {
  await nextTask();
  while (pending.length > 0) {
    await traverse();
    await nextTask();
  }
  await shows(page);
  expect(window.location.pathname).toBe(page);
  expect(depth()).toBe(0);
}

/** Also expects that one press of Back leads to the page below it. */
async function staysAt(page: string, below: string) {
  await endsAt(page);
  await act(async () => realGo(-1));
  await endsAt(below);
}

describe('a navigation stays', () => {
  it('in the turn that closes a dialog', async () => {
    await openDialogs(1);
    press('Close and leave');
    await staysAt('/second', '/first');
  });

  it('that begins as Escape closes a dialog', async () => {
    await openDialogs(1);
    fireEvent.keyDown(document.body, { key: 'Escape' });
    press('Second');
    await staysAt('/second', '/first');
  });

  it.each([1, 2])('that begins while %i entries of dialogs are being left', async (count) => {
    await closeAndBeginToLeave(count);
    press('Second');
    await nextTask();
    await staysAt('/second', '/first');
  });

  it('that replaces the page while the entry of a dialog is being left', async () => {
    await closeAndBeginToLeave();
    press('Replace');
    await staysAt('/second', '/before');
  });

  it('whose page is still loading when a dialog closes', async () => {
    await openDialogs(1);
    press('Loaded on demand');
    press('Close');
    await nextTask();
    load();
    await staysAt('/loaded', '/first');
  });

  it('whose page loads while the entry of a dialog is being left', async () => {
    await closeAndBeginToLeave();
    press('Loaded on demand');
    load();
    await staysAt('/loaded', '/first');
  });
});

it('the browser’s Back while the entry of a dialog is being left leads to the page before', async () => {
  await closeAndBeginToLeave();
  pending.push(() => realGo(-1));
  await endsAt('/before');
});

it('the browser may make both steps back in one', async () => {
  await closeAndBeginToLeave();
  pending = [() => realGo(-2)];
  await endsAt('/before');
});

it('a dialog that opens while the entry of another is being left has an entry of its own', async () => {
  await closeAndBeginToLeave();
  press('Open');
  await nextTask();
  await traverse();
  await waitFor(() => expect(depth()).toBe(1));
  await act(async () => realGo(-1));
  await screen.findByText('First page, 0 open');
});

describe('a step back that does not come soon', () => {
  /** Closes a dialog, and lets a minute pass in which the browser makes no step. */
  async function closeAndWait() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      for (const name of ['First', 'Open', 'Close']) {
        press(name);
        await act(() => vi.advanceTimersByTimeAsync(0));
      }
      await act(() => vi.advanceTimersByTimeAsync(60_000));
    } finally {
      vi.useRealTimers();
    }
  }

  it('is not asked for again: made twice, it would leave the page', async () => {
    await closeAndWait();
    expect(pending).toHaveLength(1);
    await staysAt('/first', '/before');
  });

  it('does not hold up a navigation for ever if the browser has dropped it', async () => {
    await closeAndWait();
    pending = [];
    press('Second');
    await staysAt('/second', '/first');
  });

  it('takes one press of Back if the browser has dropped it', async () => {
    await closeAndWait();
    pending = [];
    await act(async () => realGo(-1));
    await staysAt('/first', '/before');
  });
});
