/** Of a public address no name has to be looked up. */
export const aWebhook = { url: 'https://93.184.216.34/hook', events: ['bid.placed'] };

const one = { id: 1 };

/** Valid inputs of the calls about webhooks. */
export const WEBHOOK_INPUTS = {
  'webhooks.create': { ...aWebhook, isForAll: false },
  'webhooks.update': { ...one, url: aWebhook.url, isOn: true },
  'webhooks.remove': one,
  'webhooks.renewSecret': one,
  'webhooks.deliveries': one,
  'webhooks.sendTest': one,
  'webhooks.sendAgain': { ...one, deliveryId: 1 },
};
