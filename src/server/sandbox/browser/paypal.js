/**
 * A stand-in for PayPal's JavaScript SDK (v5), as much of it as PayPalScriptProvider and PayPalButtons ask for: one
 * button, and a dialog in which the buyer says how they pay. It knows where the stand-in's server is by its own
 * address. No page style or inline attribute is needed: it works under a strict content security policy.
 */
(() => {
  const script = document.currentScript;
  const namespace = script.dataset.namespace || 'paypal';
  /** '/sandbox/paypal/browser/', beside this script. */
  const base = new URL('.', script.src);

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

  const CHOICES = [
    { label: 'Pay now', funding: 'balance' },
    { label: 'Pay with a declined card', funding: 'declined' },
    { label: 'Pay later clears', funding: 'pending' },
    { label: 'Cancel', funding: null },
  ];

  let dialogCount = 0;

  function addStyles() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }

  /** Asks the stand-in's server; throws with its words when it refuses. */
  async function ask(path, body) {
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const answer = await fetch(new URL(path, base), init);
    const json = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(json.message || `The PayPal sandbox answered ${answer.status}`);
    return json;
  }

  const readOrder = (orderId) => ask(`orders/${encodeURIComponent(orderId)}`);
  const approve = (orderId, funding) => ask(`orders/${encodeURIComponent(orderId)}/approve`, { funding });

  function element(tag, properties, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  function moneyText({ currency_code, value }) {
    const format = new Intl.NumberFormat('en', {
      style: 'currency',
      currency: currency_code,
      currencyDisplay: 'narrowSymbol',
    });
    return `${format.format(Number(value))} ${currency_code}`;
  }

  /**
   * Shows the order and waits for the buyer's choice.
   * @returns `answer`: what `choose` made of it, null when the buyer cancelled or the button is gone; and `close`
   */
  function openDialog(order, choose) {
    dialogCount += 1;
    const headingId = `pp-sandbox-heading-${dialogCount}`;
    const noticeId = `pp-sandbox-notice-${dialogCount}`;
    const status = element('p', { className: 'pp-sandbox-status', role: 'status' });
    const choices = element('div', { className: 'pp-sandbox-choices' });
    const dialog = element(
      'dialog',
      { className: 'pp-sandbox-dialog' },
      element('h2', { id: headingId, textContent: 'PayPal sandbox' }),
      element('p', { id: noticeId, className: 'pp-sandbox-notice', textContent: 'No real money moves.' }),
      element('p', { textContent: 'You pay' }),
      element('p', { className: 'pp-sandbox-amount', textContent: moneyText(order.amount) }),
      choices,
      status,
    );
    dialog.setAttribute('aria-labelledby', headingId);
    dialog.setAttribute('aria-describedby', noticeId);

    let isBusy = false;
    const answer = new Promise((resolve, reject) => {
      const finish = (settle) => {
        // The choice first: closing by itself counts as a cancel.
        settle();
        dialog.close();
      };
      const take = async (funding) => {
        if (isBusy) return;
        if (funding === null) return finish(() => resolve(null));
        isBusy = true;
        status.textContent = 'One moment…';
        for (const button of choices.children) button.setAttribute('aria-disabled', 'true');
        try {
          const chosen = await choose(funding);
          finish(() => resolve(chosen));
        } catch (error) {
          finish(() => reject(error));
        }
      };
      for (const [index, { label, funding }] of CHOICES.entries()) {
        const button = element('button', {
          type: 'button',
          className: 'pp-sandbox-choice',
          textContent: label,
        });
        if (index === 0) button.dataset.first = '';
        button.addEventListener('click', () => take(funding));
        choices.append(button);
      }
      // Escape is a cancel too, but not while the choice is on its way.
      dialog.addEventListener('cancel', (event) => {
        event.preventDefault();
        take(null);
      });
      dialog.addEventListener('close', () => {
        dialog.remove();
        resolve(null);
      });
    });
    document.body.append(dialog);
    dialog.showModal();
    return { answer, close: () => dialog.isConnected && dialog.close() };
  }

  /** The buttons of one place on a page. */
  function Buttons(given = {}) {
    let options = given;
    let root = null;
    let dialog = null;
    let isClosed = false;
    const button = element('button', {
      type: 'button',
      className: 'pp-sandbox-button',
      textContent: 'Pay with PayPal',
    });

    const fail = (error) => {
      if (isClosed) return;
      if (options.onError) options.onError(error);
      else console.error(error);
    };

    async function letBuyerPay(orderID) {
      const order = await readOrder(orderID);
      if (isClosed) return;
      dialog = openDialog(order, (funding) => approve(orderID, funding));
      const approved = await dialog.answer;
      dialog = null;
      if (isClosed) return;
      button.focus();
      if (approved === null) {
        options.onCancel?.({ orderID }, { redirect: (url) => location.assign(url) });
        return;
      }
      const actions = {
        order: { get: () => readOrder(orderID) },
        restart: () => letBuyerPay(orderID).catch(fail),
        redirect: (url) => location.assign(url),
      };
      const data = { orderID, payerID: 'SANDBOXBUYER', paymentSource: 'paypal', facilitatorAccessToken: '' };
      await options.onApprove?.(data, actions);
    }

    async function pay() {
      if (button.getAttribute('aria-busy') === 'true') return;
      button.setAttribute('aria-busy', 'true');
      try {
        let isRejected = false;
        const reject = async () => {
          isRejected = true;
        };
        await options.onClick?.({ fundingSource: 'paypal' }, { reject, resolve: async () => {} });
        if (isRejected) return;
        const orderID = await options.createOrder({ paymentSource: 'paypal' }, {});
        await letBuyerPay(orderID);
      } catch (error) {
        fail(error);
      } finally {
        button.removeAttribute('aria-busy');
      }
    }
    button.addEventListener('click', pay);

    const setDisabled = async (isDisabled) => {
      button.disabled = isDisabled;
    };

    return {
      isEligible: () => options.fundingSource === undefined || options.fundingSource === 'paypal',
      async render(container) {
        const place = typeof container === 'string' ? document.querySelector(container) : container;
        if (!place) throw new Error('There is no such place for the PayPal buttons');
        root = element('div', { className: 'pp-sandbox-buttons' }, button);
        place.append(root);
        options.onInit?.({}, { enable: () => setDisabled(false), disable: () => setDisabled(true) });
      },
      async close() {
        isClosed = true;
        dialog?.close();
        root?.remove();
      },
      async updateProps(changed) {
        options = { ...options, ...changed };
      },
      resume() {},
      hasReturned: () => false,
    };
  }

  addStyles();
  window[namespace] = { version: '5.0.0-sandbox', FUNDING: { PAYPAL: 'paypal' }, Buttons };
})();
