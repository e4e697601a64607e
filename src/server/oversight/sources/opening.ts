import { t } from '@lingui/core/macro';
import type { StoredFeed, StoredValidator } from '#contract/oversight/sources.ts';
import type { Providers } from '#server/context/context.ts';
import type { Vault } from '#server/core/crypto.ts';
import type { Logger } from '#server/core/log.ts';
import type { RunningSettings } from '#server/people/settings/running.ts';
import { openKey } from '#server/people/settings/service.ts';
import { followValidators, openValidators } from '#server/providers/validators/open-validators.ts';
import type { ValidatorSetting, ValidatorSettings } from '#server/providers/validators/settings.ts';
import { type Feed, FeedRefusal } from '#server/readers/feeds/feeds.ts';
import type { FeedSetting } from '#server/readers/feeds/settings.ts';
import {
  feedBinding,
  feedSettingOf,
  SourceProblem,
  validatorBinding,
  validatorSettingOf,
} from './composing.ts';

/** What is needed to open the sources that admins have set up. */
interface Opening {
  readonly settings: Pick<RunningSettings, 'keys'>;
  readonly vault: Vault;
}

/** @throws SourceProblem where there is a key that does not open for this */
function keyOf({ settings, vault }: Opening, keyId: string | null, boundTo: string): string | null {
  if (keyId === null) return null;
  const key = openKey(vault, settings, { id: keyId, boundTo });
  if (key === null) throw new SourceProblem('key', t`The key cannot be read. Type it again.`);
  return key;
}

type OpenFeed = (setting: FeedSetting) => Feed;

/** Opens a feed of an admin. One that cannot be opened says why when it is to be read. */
function openOwnFeed(feed: StoredFeed, opening: Opening, open: OpenFeed): Feed {
  try {
    return open(feedSettingOf(feed, keyOf(opening, feed.keyId, feedBinding(feed))));
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error;
    const { name, everyHours } = feed;
    return { name, everyHours, fetch: () => Promise.reject(new FeedRefusal(error.message)) };
  }
}

/**
 * Codes go only to these origins: whoever has an account sees the codes that it is asked about.
 * @throws SourceProblem
 */
export function checkAllowed(baseUrl: string, origins: readonly string[]): void {
  if (URL.canParse(baseUrl) && origins.includes(new URL(baseUrl).origin)) return;
  throw new SourceProblem(
    'baseUrl',
    t`Codes may not be sent there: the operator has to add its address to VALIDATOR_ORIGINS.`,
  );
}

/**
 * A validator of admins, with its key.
 * @throws SourceProblem
 */
export function openOwnValidator(
  validator: StoredValidator,
  opening: Opening & { readonly origins: readonly string[] },
): ValidatorSetting {
  checkAllowed(validator.baseUrl, opening.origins);
  return validatorSettingOf(validator, keyOf(opening, validator.keyId, validatorBinding(validator)));
}

/** The validators of admins that are asked; those that cannot be opened are left out. */
function openOwnValidators(
  validators: readonly StoredValidator[],
  opening: Parameters<typeof openOwnValidator>[1],
): ValidatorSetting[] {
  return validators
    .filter(({ isPaused }) => !isPaused)
    .flatMap((validator) => {
      try {
        return [openOwnValidator(validator, opening)];
      } catch (error) {
        if (error instanceof SourceProblem) return [];
        throw error;
      }
    });
}

/**
 * The feeds and the validators of the operator's files; without a file, those that admins have set up, as they are at the
 * moment.
 */
export function openSources(given: {
  readonly files: {
    readonly feeds: readonly FeedSetting[] | null;
    readonly validators: ValidatorSettings | null;
  };
  readonly settings: Pick<RunningSettings, 'current' | 'keys'>;
  readonly vault: Vault;
  /** Where validators of admins may send codes. */
  readonly origins: readonly string[];
  readonly log: Pick<Logger, 'warn'>;
  readonly openFeed: OpenFeed;
}): Pick<Providers, 'feeds' | 'validators'> {
  const { files, settings, log, openFeed } = given;
  return {
    feeds: () => {
      if (files.feeds) return files.feeds.map(openFeed);
      const read = settings.current().feeds.filter(({ isPaused }) => !isPaused);
      return read.map((feed) => openOwnFeed(feed, given, openFeed));
    },
    validators: files.validators
      ? openValidators(files.validators, log)
      : followValidators(
          settings.current,
          ({ validators }) => ({ adapters: openOwnValidators(validators, given) }),
          log,
        ),
  };
}
