/**
 * PayPal's JavaScript SDK (v5) for installations without PayPal's keys: as much of it as PayPalScriptProvider and
 * PayPalButtons use: one button, and a dialog in which the buyer says how they pay. It needs no inline style, so it
 * works under a strict content security policy.
 */
import { ask, make, ownScript } from './dom.ts';
import { addStyles, type Order, openDialog } from './paypal-dialog.ts';

const script = ownScript();
const base = new URL('.', script.src).href;

/** @throws Error with the sandbox's words when it refuses */
async function askSandbox(path: string, body?: object): Promise<unknown> {
  const { isOk, status, json } = await ask(base, path, body);
  if (isOk) return json;
  const hasMessage = typeof json === 'object' && json !== null && 'message' in json;
  throw new Error(hasMessage ? String(json.message) : `The PayPal sandbox answered ${status}`);
}

const orderPath = (orderId: string) => `orders/${encodeURIComponent(orderId)}`;
// The sandbox's own answer: its type is checked where it is made.
const readOrder = async (orderId: string) => (await askSandbox(orderPath(orderId))) as Order;

const redirect = (url: string) => location.assign(url);

/** What our page gives to PayPalButtons; the SDK's own type asks for a hundred more. */
interface ButtonsOptions {
  readonly fundingSource?: string;
  createOrder(data: { paymentSource: string }, actions: object): Promise<string>;
  onApprove?(data: { orderID: string }, actions: object): Promise<void> | void;
  onCancel?(data: { orderID: string }, actions: object): void;
  onClick?(data: { fundingSource: string }, actions: object): Promise<void> | void;
  onError?(error: unknown): void;
  onInit?(data: object, actions: object): void;
}

/** The buttons of one place on a page. */
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
