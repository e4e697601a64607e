import { createServer } from 'vite';
import { PSEUDO, speakPseudo } from './pseudo.ts';

/** `npm run dev`: the server and, in front of it, Vite with hot reload at port 5173. */
const [{ main }, { loadConfigWithSandbox }, { withSettings }, { seedDemoOnce }, { configNow }] =
  await Promise.all([
    import('../../src/server/main.ts'),
    import('../programs/sandbox.ts'),
    import('../../src/server/rest/page-head.ts'),
    import('../demo/seed.ts'),
    import('../../src/server/people/settings/service.ts'),
  ]);
const config = await loadConfigWithSandbox();
// Texts that are not in the catalogue stand out, and those that are are longer.
const isPseudo = process.env.PSEUDO === 'true';
if (isPseudo) speakPseudo();
let settings = () => config;
await main({
  config,
  async prepare(program) {
    settings = () => configNow(program.deps);
    await seedDemoOnce(program);
  },
});
const settingsInHead = {
  name: 'settings-in-head',
  transformIndexHtml: (html: string) => withSettings(html, settings()),
};
const vite = await createServer({ plugins: [settingsInHead], ...(isPseudo && { mode: PSEUDO }) });
await vite.listen();
vite.printUrls();
