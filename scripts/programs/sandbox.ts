import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Config, loadConfig } from '#server/core/config.ts';
import { type Environment, readEnvironment } from '#server/core/environment.ts';

/**
 * Sets what the environment leaves out for development: the stand-ins of Stripe, PayPal and mail, which run in this
 * process, or in another one over the same data folder.
 */
export async function loadConfigWithSandbox(environment = readEnvironment()): Promise<Config> {
  const config = loadConfig(environment);
  const isComplete = config.stripe && config.paypal && config.mail;
  // Tests open their own.
  const isDevelopment = (environment.NODE_ENV || 'development') === 'development';
  if (!isDevelopment || isComplete || config.sandboxUrl !== null) return config;
  // Nothing of it is loaded where all providers are set up.
  const { sandboxSettings } = await import('#sandbox/main.ts');
  const settings = Object.entries(sandboxSettings(await urlOfSandbox(config))).filter(
    ([name]) =>
      !(config.stripe && name.startsWith('STRIPE_')) &&
      !(config.paypal && name.startsWith('PAYPAL_')) &&
      !(config.inboundMail && name.startsWith('INBOUND_MAIL_')),
  );
  // Workers inherit them.
  const complete: Environment = Object.assign(environment, Object.fromEntries(settings));
  return loadConfig(complete);
}

async function urlOfSandbox({ dataDir, publicUrl, port }: Config): Promise<string> {
  const addressFile = path.join(dataDir, 'sandbox-address');
  if (existsSync(addressFile)) {
    const known = readFileSync(addressFile, 'utf8');
    const isRunning = await fetch(`${known}/sandbox`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isRunning) return known;
  }
  const { openSandbox } = await import('#sandbox/main.ts');
  const { openStore } = await import('#sandbox/store.ts');
  const { url } = await openSandbox({
    store: openStore(path.join(dataDir, 'sandbox.jsonl')),
    marketplace: () => `http://127.0.0.1:${port}`,
    publicUrl,
  });
  writeFileSync(addressFile, url);
  return url;
}
