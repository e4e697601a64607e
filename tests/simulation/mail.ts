import { MailDeferred, type Mailer } from '#server/providers/mail/mailer.ts';
import type { Life } from './database.ts';
import { ProgramDied, type Scheduler } from './scheduler.ts';

const FAULTS = ['refuses', 'answer lost', 'program dies after'];

/** A mail that reached the mail server. */
interface SentMail {
  readonly messageId: string;
  readonly to: string;
  readonly text: string;
  /** Whether the market must know of it: nothing has failed in the moment in which it was sent, since it was. */
  isKnown: boolean;
  /** How many steps had failed until then. */
  readonly faults: number;
}

/** A mail server that refuses now and then. */
export function createMailServer(scheduler: Scheduler) {
  const mails: SentMail[] = [];
  /** The mails before this one are of earlier moments. */
  let judged = 0;
  return {
    mails,
    /** The way of one program to it: each mail is a step. */
    mailerOf: (life: Life): Mailer => ({
      transport: 'smtp',
      send: ({ messageId, to, text, html }) =>
        scheduler.step({ label: 'sends a mail', faults: FAULTS, isOver: life.isOver }, async (fault) => {
          if (fault === 'refuses') throw new MailDeferred('The simulated mail server is busy');
          const faults = scheduler.faults() - (fault === null ? 0 : 1);
          mails.push({ messageId, to, text: text + html, isKnown: false, faults });
          if (fault === 'answer lost') throw new MailDeferred('The simulated line to the mail server broke');
          if (fault === 'program dies after') {
            await life.end();
            throw new ProgramDied();
          }
        }),
      async check() {},
      async close() {},
    }),
    /** Decides, at the end of a moment, of which of its mails the market must know. */
    know() {
      for (const mail of mails.slice(judged)) mail.isKnown = mail.faults === scheduler.faults();
      judged = mails.length;
    },
  };
}
