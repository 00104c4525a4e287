import type { InternalCalls, Routes, Verb } from '@talpa/contracts';
import type { NotificationsContext } from '../context.ts';

/** How old a report may be: of a page that opens, and of one whose button is pressed. */
export const keptMs = 60_000;
const againMs = 5_000;

/** What the doctor finds from here. */
export const runDoctor: Verb<Routes['GET /api/admin/system/doctor'], NotificationsContext> = (
  { doctor },
  { again },
) => doctor.look(again ? againMs : keptMs);

/** The same, for an operator in a container, which has neither the mail server's address nor a way outside. */
export const readDoctor: Verb<InternalCalls['notifications.readDoctor'], NotificationsContext> = ({
  doctor,
}) => doctor.look(againMs);
