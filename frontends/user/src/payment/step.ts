import type { Plan } from '@talpa/contracts/plans';
import type { Amount } from './amount.ts';
import type { Change, Payment } from './flow.ts';

/** What every step of the form is given. */
export interface StepProps {
  readonly plan: Plan;
  readonly amount: Amount;
  readonly payment: Payment;
  readonly change: (change: Change) => void;
  readonly onNext: () => void;
}
