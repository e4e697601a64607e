/**
 * A stand-in for Stripe.js, for installations without Stripe's keys: as much of `window.Stripe` as our pages and
 * Stripe's own React parts use. It asks the sandbox at the folder it was loaded from, and no real card belongs here.
 */
(() => {
  const base = new URL('.', document.currentScript.src).href;

  /** @returns {Promise<{ paymentIntent?: object, error?: object }>} as every call of Stripe.js answers */
  async function call(method, path, body) {
    try {
      const response = await fetch(base + path, {
        method,
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      const answer = await response.json();
      return answer.error ? { error: answer.error } : { paymentIntent: answer };
    } catch {
      return { error: { type: 'api_connection_error', message: 'The test payment system did not answer.' } };
    }
  }

  const idOf = (clientSecret) => String(clientSecret).split('_secret_')[0];
  const at = (clientSecret, act) => `payment_intents/${encodeURIComponent(idOf(clientSecret))}/${act}`;

  function retrieve(clientSecret) {
    const id = encodeURIComponent(idOf(clientSecret));
    return call('GET', `payment_intents/${id}?client_secret=${encodeURIComponent(clientSecret)}`);
  }

  /** Asks the buyer for the bank's word where the payment waits for it. */
  async function authenticate(clientSecret, answer) {
    if (answer.error || answer.paymentIntent.status !== 'requires_action') return answer;
    const outcome = await askAtTheBank();
    const after = await call('POST', at(clientSecret, 'challenge'), { client_secret: clientSecret, outcome });
    if (after.error || after.paymentIntent.status !== 'requires_payment_method') return after;
    const failure = after.paymentIntent.last_payment_error;
    return {
      error: {
        type: 'invalid_request_error',
        code: 'payment_intent_authentication_failure',
        message:
          'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
        ...failure,
        payment_intent: after.paymentIntent,
      },
    };
  }

  const style = (node, rules) => {
    Object.assign(node.style, rules);
    return node;
  };

  function make(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  /** The bank's page, in front of ours. @returns {Promise<'pass' | 'fail'>} closing it fails, as at a bank */
  function askAtTheBank() {
    return new Promise((resolve) => {
      const page = getComputedStyle(document.body);
      const [ground, ink] = [page.backgroundColor, page.color];
      const button = (text, outcome, colors) => {
        const node = make('button', { type: 'button' }, text);
        style(node, { minHeight: '44px', padding: '0 20px', borderRadius: '22px', cursor: 'pointer' });
        style(node, { border: `1px solid ${ink}`, font: 'inherit', fontWeight: '600', ...colors });
        node.addEventListener('click', () => dialog.close(outcome));
        return node;
      };
      const dialog = make(
        'dialog',
        { 'aria-labelledby': 'sandbox-bank-title', 'aria-describedby': 'sandbox-bank-text' },
        style(make('h2', { id: 'sandbox-bank-title' }, 'Test bank: 3-D Secure'), { margin: '0 0 8px' }),
        style(
          make('p', { id: 'sandbox-bank-text' }, 'A real bank would now ask you to confirm this payment.'),
          { margin: '0 0 20px' },
        ),
        style(
          make(
            'div',
            {},
            button('Complete authentication', 'pass', { background: ink, color: ground }),
            button('Fail authentication', 'fail', { background: 'transparent', color: ink }),
          ),
          { display: 'flex', flexWrap: 'wrap', gap: '12px' },
        ),
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

  const digitsOf = (text) => text.replace(/\D/g, '');

  /** The check digit that every card number ends in. */
  function isCardNumber(digits) {
    const sum = [...digits].reverse().reduce((total, digit, index) => {
      const value = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    return digits.length >= 12 && digits.length <= 19 && sum % 10 === 0;
  }

  const groupsOfFour = (text) =>
    digitsOf(text)
      .slice(0, 19)
      .replace(/(\d{4})(?=\d)/g, '$1 ');
  const monthAndYear = (text) => {
    const digits = digitsOf(text)
      .replace(/^([2-9])/, '0$1')
      .slice(0, 4);
    return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
  };

  function expiryOf(text) {
    const digits = digitsOf(text);
    return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2, 4)) };
  }

  /** Each: how it is written while typing, and what is wrong with it in Stripe's words, or nothing. */
  const FIELDS = {
    number: {
      label: 'Card number',
      autocomplete: 'cc-number',
      written: groupsOfFour,
      wrong: (text) => {
        const digits = digitsOf(text);
        if (digits.length < 12) return ['incomplete_number', 'Your card number is incomplete.'];
        return isCardNumber(digits) ? null : ['invalid_number', 'Your card number is invalid.'];
      },
    },
    expiry: {
      label: 'Expiration (MM / YY)',
      autocomplete: 'cc-exp',
      written: monthAndYear,
      wrong: (text) => {
        const { month, year } = expiryOf(text);
        if (digitsOf(text).length < 4) {
          return ['incomplete_expiry', "Your card's expiration date is incomplete."];
        }
        if (month < 1 || month > 12)
          return ['invalid_expiry_month', "Your card's expiration date is invalid."];
        const now = new Date();
        const isPast = year * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1;
        return isPast ? ['invalid_expiry_year_past', "Your card's expiration year is in the past."] : null;
      },
    },
    cvc: {
      label: 'Security code',
      autocomplete: 'cc-csc',
      written: (text) => digitsOf(text).slice(0, 4),
      wrong: (text) =>
        digitsOf(text).length < 3 ? ['incomplete_cvc', "Your card's security code is incomplete."] : null,
    },
  };

  let made = 0;

  /** One labelled field with room for its complaint. */
  function cardField(name, onInput) {
    const { label, autocomplete, written, wrong } = FIELDS[name];
    made += 1;
    const id = `sandbox-card-${name}-${made}`;
    const input = make('input', {
      id,
      autocomplete,
      inputmode: 'numeric',
      'aria-describedby': `${id}-error`,
    });
    const title = make('label', { for: id }, label);
    const complaint = make('p', { id: `${id}-error`, 'aria-live': 'polite' });
    const node = make('div', {}, title, input, complaint);
    const complain = (problem) => {
      complaint.textContent = problem ? problem[1] : '';
      if (problem) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
    };
    input.addEventListener('input', () => {
      // Deleting must not write the separator back that it has just taken.
      if (input.selectionStart === input.value.length) input.value = written(input.value);
      if (!wrong(input.value)) complain(null);
      onInput();
    });
    input.addEventListener('blur', () => input.value && complain(wrong(input.value)));
    return {
      node,
      input,
      /** @returns {[code: string, message: string] | null} */
      check: () => {
        const problem = wrong(input.value);
        complain(problem);
        return problem;
      },
      isComplete: () => !wrong(input.value),
      paint: (colors) => {
        style(node, { minWidth: '0' });
        style(title, { display: 'block', marginBottom: '4px', fontWeight: '600', fontSize: '0.875rem' });
        style(input, { boxSizing: 'border-box', width: '100%', minHeight: '44px', padding: '8px 12px' });
        style(input, { font: 'inherit', fontSize: '16px', fontVariantNumeric: 'tabular-nums' });
        style(input, { color: colors.colorText, background: colors.colorBackground });
        style(input, { border: `1px solid ${colors.colorTextSecondary}`, borderRadius: colors.borderRadius });
        style(complaint, { color: colors.colorDanger, margin: '4px 0 0', minHeight: '1.25em' });
        style(complaint, { fontSize: '0.875rem', lineHeight: '1.25' });
      },
    };
  }

  const DEFAULT_COLORS = {
    colorText: 'inherit',
    colorTextSecondary: 'currentcolor',
    colorBackground: 'transparent',
    colorDanger: '#b42318',
    borderRadius: '8px',
    fontFamily: 'inherit',
  };

  function eventsOf() {
    const handlers = new Map();
    const listeners = (event) => handlers.get(event) ?? new Set();
    return {
      on: (event, handler) => handlers.set(event, listeners(event).add(handler)),
      off: (event, handler) => listeners(event).delete(handler),
      fire: (event, detail) => {
        for (const handler of [...listeners(event)]) handler(detail);
      },
    };
  }

  /** The card form, where Stripe would draw a frame of its own. */
  function paymentElement(appearance) {
    const { on, off, fire } = eventsOf();
    const isComplete = () => Object.values(fields).every((field) => field.isComplete());
    const changed = () =>
      fire('change', {
        elementType: 'payment',
        complete: isComplete(),
        empty: Object.values(fields).every(({ input }) => input.value === ''),
        collapsed: false,
        value: { type: 'card' },
      });
    const fields = {
      number: cardField('number', changed),
      expiry: cardField('expiry', changed),
      cvc: cardField('cvc', changed),
    };
    fields.number.node.style.gridColumn = '1 / -1';
    const root = make('div', {}, ...Object.values(fields).map(({ node }) => node));
    style(root, { display: 'grid', gridTemplateColumns: '1fr 1fr', gap: '8px 12px' });
    const paint = (next) => {
      const colors = { ...DEFAULT_COLORS, ...next?.variables };
      style(root, { color: colors.colorText, fontFamily: colors.fontFamily });
      for (const field of Object.values(fields)) field.paint(colors);
    };
    paint(appearance);
    const element = {
      on: (event, handler) => {
        on(event, handler);
        return element;
      },
      off: (event, handler) => {
        off(event, handler);
        return element;
      },
      mount: (place) => {
        (typeof place === 'string' ? document.querySelector(place) : place).replaceChildren(root);
        // Later, as with Stripe's own frame: whoever mounts it listens only afterwards.
        setTimeout(() => root.isConnected && fire('ready', { elementType: 'payment' }));
      },
      unmount: () => root.remove(),
      destroy: () => root.remove(),
      update: () => {},
      focus: () => fields.number.input.focus(),
    };
    return {
      element,
      paint,
      /** Marks every field at fault and goes to the first. @returns Stripe's error, or null */
      check: () => {
        const problems = Object.values(fields).map((field) => [field, field.check()]);
        const [field, problem] = problems.find(([, found]) => found) ?? [];
        if (!problem) return null;
        field.input.focus();
        return { type: 'validation_error', code: problem[0], message: problem[1] };
      },
      card: () => {
        const { month, year } = expiryOf(fields.expiry.input.value);
        const [number, cvc] = [fields.number, fields.cvc].map(({ input }) => digitsOf(input.value));
        return { number, exp_month: month, exp_year: year, cvc };
      },
    };
  }

  /** What a set of elements keeps from the pages: its form and its payment. */
  const inside = new WeakMap();

  function elementsOf({ clientSecret, appearance } = {}) {
    const state = { clientSecret, appearance, form: null };
    const elements = {
      create: () => {
        state.form = paymentElement(state.appearance);
        return state.form.element;
      },
      getElement: () => state.form?.element ?? null,
      update: (options) => {
        state.appearance = options.appearance ?? state.appearance;
        state.form?.paint(state.appearance);
      },
      fetchUpdates: async () => retrieve(clientSecret).then(({ error }) => (error ? { error } : {})),
      submit: async () => {
        const error = state.form?.check();
        return error ? { error } : { selectedPaymentMethod: 'card' };
      },
      on: () => elements,
      off: () => elements,
    };
    inside.set(elements, state);
    return elements;
  }

  async function confirmPayment({ elements, clientSecret: given, confirmParams, redirect }) {
    const { form, clientSecret = given } = inside.get(elements) ?? {};
    const error = form?.check();
    if (error) return { error };
    const sent = { client_secret: clientSecret, card: form?.card() };
    const answer = await authenticate(clientSecret, await call('POST', at(clientSecret, 'confirm'), sent));
    if (answer.error || redirect === 'if_required') return answer;
    const target = new URL(confirmParams.return_url);
    target.searchParams.set('payment_intent', answer.paymentIntent.id);
    target.searchParams.set('payment_intent_client_secret', clientSecret);
    target.searchParams.set('redirect_status', 'succeeded');
    location.assign(target);
    return new Promise(() => {});
  }

  async function notHere() {
    return { error: { type: 'invalid_request_error', message: 'The test payment system does not do this.' } };
  }

  window.Stripe = Object.assign(
    () => ({
      elements: elementsOf,
      confirmPayment,
      retrievePaymentIntent: retrieve,
      handleNextAction: async ({ clientSecret }) => authenticate(clientSecret, await retrieve(clientSecret)),
      createToken: notHere,
      createPaymentMethod: notHere,
      confirmCardPayment: notHere,
      registerAppInfo: () => {},
      _registerWrapper: () => {},
    }),
    { version: 'endive' },
  );
})();
