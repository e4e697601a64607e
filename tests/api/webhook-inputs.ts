/** Of a public address no name has to be looked up. */
export const aWebhook = { url: 'https://93.184.216.34/hook', events: ['bid.placed'] };
