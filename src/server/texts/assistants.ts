import { t } from '@lingui/core/macro';
import { type AskedAct, REQUEST_MINUTES } from '#contract/people/assistant-requests.ts';
import { stored } from './stored.ts';
import type { Text } from './text.ts';

/** What a person is told when an assistant asks them to do something, by the act. */
export const ASSISTANT_TEXTS = stored('assistant', {
  accept_swap: ({ program }) =>
    t`${program} asks you to accept a swap. You have ${REQUEST_MINUTES} minutes to answer.`,
  decline_swap: ({ program }) =>
    t`${program} asks you to decline a swap. You have ${REQUEST_MINUTES} minutes to answer.`,
  complete_swap: ({ program }) =>
    t`${program} asks you to complete a swap. You have ${REQUEST_MINUTES} minutes to answer.`,
  cancel_swap: ({ program }) =>
    t`${program} asks you to cancel a swap. You have ${REQUEST_MINUTES} minutes to answer.`,
  accept_bid: ({ program }) =>
    t`${program} asks you to accept a bid. You have ${REQUEST_MINUTES} minutes to answer.`,
  decline_bid: ({ program }) =>
    t`${program} asks you to decline a bid. You have ${REQUEST_MINUTES} minutes to answer.`,
  cancel_bid: ({ program }) =>
    t`${program} asks you to cancel your bid. You have ${REQUEST_MINUTES} minutes to answer.`,
  confirm_receipt: ({ program }) =>
    t`${program} asks you to say that a code works. You have ${REQUEST_MINUTES} minutes to answer.`,
  write_in_swap: ({ program }) =>
    t`${program} has written a message for you. You have ${REQUEST_MINUTES} minutes to send it.`,
  write_in_bid: ({ program }) =>
    t`${program} has written a message for you. You have ${REQUEST_MINUTES} minutes to send it.`,
  buy_coupon: ({ program }) =>
    t`${program} asks you to buy a coupon. You have ${REQUEST_MINUTES} minutes to answer.`,
  pay_bid: ({ program }) =>
    t`${program} asks you to pay for a coupon. You have ${REQUEST_MINUTES} minutes to answer.`,
  show_code: ({ program }) =>
    t`${program} asks you to look at one of your codes. You have ${REQUEST_MINUTES} minutes to answer.`,
} satisfies Record<AskedAct, Text<{ readonly program: string }>>);
