import type { Change, Payment } from './flow.ts';
import type { Order } from './order.ts';

/** What every step of the form is given. */
export interface StepProps {
  readonly order: Order;
  readonly payment: Payment;
  readonly change: (change: Change) => void;
  /** Of its form, which the dialog's button sends. */
  readonly formId: string;
  readonly onNext: () => void;
}
