import type { AuditMessage, EventName, EventOf, ServiceName } from '@talpa/contracts';
import { appliedSubject, auditSubject, eventSubject, touchedSubject } from '@talpa/service-kit/bus/subjects';
import { until } from './wait.ts';

/** What services have said on the bus, by what it is about. @param heard what was said under a subject */
export function saidIn(heard: <T>(subject: string) => T[]) {
  /** A service's rows of the activity log about a user. */
  const auditRows = (service: ServiceName, userId: number) =>
    heard<AuditMessage>(auditSubject(service)).filter((row) => row.subjectUserId === userId);
  return {
    auditRows,
    /** Those of one action, once there is one. */
    audited: (service: ServiceName, action: string, userId: number) =>
      until(`${action} in the log`, () => {
        const rows = auditRows(service, userId).filter((row) => row.action === action);
        return rows.length > 0 && rows;
      }),
    /** What others were told of a row, the oldest first. */
    told: <N extends EventName>(name: N, id: string | number) =>
      heard<EventOf<N>>(eventSubject(name, String(id))),
    /** The states of a row that a service's copy has taken over. */
    applied: <N extends EventName>(service: ServiceName, name: N, id: string | number) =>
      heard<EventOf<N>>(appliedSubject(service, name, String(id))),
    /** How often a service has ended what is remembered about a user. */
    touched: (service: ServiceName, userId: number) => heard(touchedSubject(service, userId)).length,
  };
}
