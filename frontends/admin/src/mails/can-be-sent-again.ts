import type { LoggedMail, MailState } from '@talpa/contracts';

/** As `resendableStates` of the contract, which would bring zod along; the type check compares them. */
const resendable: Readonly<Record<MailState, boolean>> = {
  queued: false,
  sending: false,
  sent: false,
  refused: true,
  dead_letter: true,
  kept: true,
  no_address: true,
  outdated: false,
  held: true,
};

export const canBeSentAgain = ({ state }: LoggedMail) => resendable[state];
