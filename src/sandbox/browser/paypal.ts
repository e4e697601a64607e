import { ask, make, ownScript } from './dom.ts';

/**
 * Replaces PayPal's JavaScript SDK (v5). Has what PayPalScriptProvider and PayPalButtons use: one button, and a dialog
 * in which the buyer chooses how to pay. Uses no inline style, so it works under a strict content security policy.
 */

const script = ownScript();
const base = new URL('.', script.src).href;

/** @throws Error with the sandbox's message when it refuses */
async function askSandbox(path: string, body?: object): Promise<unknown> {
  const { isOk, status, json } = await ask(base, path, body);
  if (isOk) return json;
  const hasMessage = typeof json === 'object' && json !== null && 'message' in json;
  throw new Error(hasMessage ? String(json.message) : `The PayPal sandbox answered ${status}`);
}

const orderPath = (orderId: string) => `orders/${encodeURIComponent(orderId)}`;
// The sandbox's answer: tsc has checked its type there.
const readOrder = async (orderId: string) => (await askSandbox(orderPath(orderId))) as Order;

const redirect = (url: string) => location.assign(url);

/** The options that our page passes to PayPalButtons. The SDK's own type requires many more. */
interface ButtonsOptions {
  readonly fundingSource?: string;
  createOrder(data: { paymentSource: string }, actions: object): Promise<string>;
  onApprove?(data: { orderID: string }, actions: object): Promise<void> | void;
  onCancel?(data: { orderID: string }, actions: object): void;
  onClick?(data: { fundingSource: string }, actions: object): Promise<void> | void;
  onError?(error: unknown): void;
  onInit?(data: object, actions: object): void;
}

function Buttons(given: ButtonsOptions) {
  let options = given;
  let root: HTMLElement | null = null;
  let dialog: ReturnType<typeof openDialog> | null = null;
  let isClosed = false;
  const button = make('button', { type: 'button', class: 'pp-sandbox-button' }, 'Pay with PayPal');

  const fail = (error: unknown) => {
    if (isClosed) return;
    if (options.onError) options.onError(error);
    else console.error(error);
  };

  async function letBuyerPay(orderID: string): Promise<void> {
    const order = await readOrder(orderID);
    if (isClosed) return;
    dialog = openDialog(order, async (funding) => {
      await askSandbox(`${orderPath(orderID)}/approve`, { funding });
    });
    const isApproved = await dialog.isChosen;
    dialog = null;
    if (isClosed) return;
    button.focus();
    if (!isApproved) return options.onCancel?.({ orderID }, { redirect });
    const actions = {
      order: { get: () => readOrder(orderID) },
      restart: () => letBuyerPay(orderID).catch(fail),
      redirect,
    };
    const data = { orderID, payerID: 'SANDBOXBUYER', paymentSource: 'paypal', facilitatorAccessToken: '' };
    await options.onApprove?.(data, actions);
  }

  async function pay(): Promise<void> {
    if (button.getAttribute('aria-busy') === 'true') return;
    button.setAttribute('aria-busy', 'true');
    try {
      let isRejected = false;
      const reject = async () => {
        isRejected = true;
      };
      await options.onClick?.({ fundingSource: 'paypal' }, { reject, resolve: async () => {} });
      if (!isRejected) await letBuyerPay(await options.createOrder({ paymentSource: 'paypal' }, {}));
    } catch (error) {
      fail(error);
    } finally {
      button.removeAttribute('aria-busy');
    }
  }
  button.addEventListener('click', pay);

  const setDisabled = async (isDisabled: boolean) => {
    button.disabled = isDisabled;
  };

  return {
    isEligible: () => options.fundingSource === undefined || options.fundingSource === 'paypal',
    async render(container: string | HTMLElement) {
      const place = typeof container === 'string' ? document.querySelector(container) : container;
      if (!place) throw new Error('There is no such place for the PayPal buttons');
      root = make('div', { class: 'pp-sandbox-buttons' }, button);
      place.append(root);
      options.onInit?.({}, { enable: () => setDisabled(false), disable: () => setDisabled(true) });
    },
    async close() {
      isClosed = true;
      dialog?.close();
      root?.remove();
    },
    async updateProps(changed: Partial<ButtonsOptions>) {
      options = { ...options, ...changed };
    },
    resume() {},
    hasReturned: () => false,
  };
}

addStyles();
Object.assign(window, {
  [script.dataset.namespace || 'paypal']: {
    version: '5.0.0-sandbox',
    FUNDING: { PAYPAL: 'paypal' },
    Buttons,
  },
});

const STYLES = `
  .pp-sandbox-button, .pp-sandbox-choice {
    box-sizing: border-box; width: 100%; min-height: 44px; padding: 8px 16px; border: 1px solid transparent;
    border-radius: 8px; font: 600 16px/1.25 system-ui, sans-serif; cursor: pointer;
  }
  .pp-sandbox-button, .pp-sandbox-choice[data-first] { background: #ffc439; color: #111820; }
  .pp-sandbox-button { height: 44px; }
  .pp-sandbox-button:hover, .pp-sandbox-choice[data-first]:hover { background: #f2b420; }
  .pp-sandbox-button:disabled, .pp-sandbox-button[aria-busy='true'] { cursor: default; filter: saturate(0.35); }
  .pp-sandbox-choice { background: #fff; color: #0b3d91; border-color: #0b3d91; }
  .pp-sandbox-choice[data-first] { border-color: #ffc439; }
  .pp-sandbox-choice[aria-disabled='true'] { cursor: default; filter: saturate(0.35); }
  .pp-sandbox-button:focus-visible, .pp-sandbox-choice:focus-visible {
    outline: 3px solid #0b66e4; outline-offset: 2px; box-shadow: 0 0 0 7px #fff;
  }
  .pp-sandbox-dialog {
    box-sizing: border-box; width: min(420px, calc(100vw - 32px)); padding: 24px; border: 0; border-radius: 12px;
    background: #fff; color: #111820; font: 16px/1.5 system-ui, sans-serif; color-scheme: light;
  }
  .pp-sandbox-dialog::backdrop { background: rgb(10 16 26 / 60%); }
  .pp-sandbox-dialog h2 { margin: 0 0 12px; font-size: 22px; line-height: 1.25; color: #111820; }
  .pp-sandbox-dialog p { margin: 0 0 12px; }
  .pp-sandbox-notice { padding: 8px 12px; border-radius: 8px; background: #fff4d6; color: #4a3500; }
  .pp-sandbox-amount { font-size: 28px; font-weight: 700; font-variant-numeric: tabular-nums; }
  .pp-sandbox-choices { display: grid; gap: 12px; margin-top: 16px; }
`;

export type Funding = 'balance' | 'declined' | 'pending';

const CHOICES: readonly { label: string; funding: Funding | null }[] = [
  { label: 'Pay now', funding: 'balance' },
  { label: 'Pay with a declined card', funding: 'declined' },
  { label: 'Pay later clears', funding: 'pending' },
  { label: 'Cancel', funding: null },
];

export interface Order {
  readonly amount: { readonly currency_code: string; readonly value: string };
}

export function addStyles(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

function moneyText({ currency_code: currency, value }: Order['amount']): string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  return `${format.format(Number(value))} ${currency}`;
}

let dialogCount = 0;

/**
 * Shows the order and waits for the buyer's choice.
 * @param choose carries out the buyer's choice
 * @returns `isChosen`: false when the buyer cancelled or the dialog was closed
 */
export function openDialog(order: Order, choose: (funding: Funding) => Promise<void>) {
  dialogCount += 1;
  const title = make('h2', { id: `pp-sandbox-heading-${dialogCount}` }, 'PayPal sandbox');
  const notice = make(
    'p',
    { id: `pp-sandbox-notice-${dialogCount}`, class: 'pp-sandbox-notice' },
    'No real money moves.',
  );
  const status = make('p', { class: 'pp-sandbox-status', role: 'status' });
  const choices = make('div', { class: 'pp-sandbox-choices' });
  const dialog = make(
    'dialog',
    { class: 'pp-sandbox-dialog', 'aria-labelledby': title.id, 'aria-describedby': notice.id },
    title,
    notice,
    make('p', {}, 'You pay'),
    make('p', { class: 'pp-sandbox-amount' }, moneyText(order.amount)),
    choices,
    status,
  );

  let isBusy = false;
  const isChosen = new Promise<boolean>((resolve, reject) => {
    const take = async (funding: Funding | null) => {
      if (isBusy) return;
      isBusy = funding !== null;
      if (funding !== null) {
        status.textContent = 'One moment…';
        for (const button of choices.children) button.setAttribute('aria-disabled', 'true');
        // Settle first, because closing the dialog counts as a cancel.
        await choose(funding).then(() => resolve(true), reject);
      }
      dialog.close();
    };
    for (const [index, { label, funding }] of CHOICES.entries()) {
      const button = make('button', { type: 'button', class: 'pp-sandbox-choice' }, label);
      if (index === 0) button.dataset.first = '';
      button.addEventListener('click', () => take(funding));
      choices.append(button);
    }
    // Escape cancels, but not after a choice was made.
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      void take(null);
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(false);
    });
  });
  document.body.append(dialog);
  dialog.showModal();
  return { isChosen, close: () => dialog.isConnected && dialog.close() };
}
