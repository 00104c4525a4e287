import type { DoctorReport } from '@talpa/contracts';
import { callInternal, systemCall } from '@talpa/service-kit/bus/request';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import type { NotificationsSettings } from '../settings.ts';
import type { Smtp } from '../smtp/smtp.ts';
import { examine } from './examine.ts';
import { postgresVersion } from './instance.ts';

export interface Doctor {
  /** Gives the last report while it is no older than that, else a new one, for which all wait who ask meanwhile. */
  look(keptMs: number): Promise<DoctorReport>;
  /** The last report that is whole, however old; null: there is none. */
  lastReport(): DoctorReport | null;
}

/** The doctor of this service, which alone has the mail server and reaches the outside. */
export function createDoctor(
  { nc, sql }: ServiceBase,
  settings: NotificationsSettings,
  smtp: Smtp | null,
): Doctor {
  let last: { readonly report: Promise<DoctorReport>; endedAt: number } | null = null;
  let lastReport: DoctorReport | null = null;
  const look = async (): Promise<DoctorReport> => {
    const findings = await examine({
      settings,
      diskFolders: settings.DISK_FOLDERS?.split(',') ?? [],
      clock: settings.ACME_EMAIL ? settings.ACME_DIRECTORY : null,
      // The images set it, `npm start` never does.
      isContainer: settings.HEALTH_PORT !== undefined,
      refusesSender: () => smtp?.refusesSender() ?? false,
      stores: {
        Postgres: () => postgresVersion(sql),
        NATS: async () => nc.info?.version ?? '',
      },
      ask: (call, input) => callInternal(nc, call, input, systemCall(call)),
    });
    return { findings, notChecked: ['settings'], checkedAt: new Date().toISOString() };
  };
  return {
    look: (kept) => {
      if (last && Date.now() - last.endedAt < kept) return last.report;
      const begun = { report: look(), endedAt: Number.POSITIVE_INFINITY };
      last = begun;
      begun.report.then(
        (report) => {
          begun.endedAt = Date.now();
          lastReport = report;
        },
        () => (begun.endedAt = 0),
      );
      return begun.report;
    },
    lastReport: () => lastReport,
  };
}
