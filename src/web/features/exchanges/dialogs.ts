import { dialogOnDemand } from '#web/components/on-demand.tsx';

export const ProposeExchangeDialog = dialogOnDemand(
  async () => (await import('./propose-exchange-dialog.tsx')).ProposeExchangeDialog,
);
