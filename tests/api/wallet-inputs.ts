const ofPass = { passType: 'pass.example', serial: 'A'.repeat(22), authorization: 'ApplePass x' };
const ofDevice = { ...ofPass, deviceId: 'd1' };

/** What Apple's wallet sends: it has no session. */
export const WALLET_INPUTS = {
  'walletPasses.register': { ...ofDevice, pushToken: 't1' },
  'walletPasses.unregister': ofDevice,
  'walletPasses.changed': { passType: ofPass.passType, deviceId: 'd1' },
  'walletPasses.latest': ofPass,
  'walletPasses.log': { logs: ['x'] },
} as const;
