import type { DoctorFinding, DoctorReport, DoctorState } from '@talpa/contracts';
import { doctorChecks, doctorStates, doctorWords } from '@talpa/contracts/doctor-texts';
import { operatorCommand } from '@talpa/contracts/operator-command';
import { type ApiError, call, doctorQuery, formatTime, useToast } from '@talpa/panel-kit/core';
import { Fold } from '@talpa/panel-kit/form';
import { Button, ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleQuestionMark, CircleX, RefreshCw, TriangleAlert } from 'lucide-react';
import styles from './system.module.css';
import { useSystemTexts } from './texts.ts';

const icons = { failed: CircleX, warning: TriangleAlert, unknown: CircleQuestionMark, ok: CircleCheck };

/** What the doctor finds of this installation, the worst first; what is well is folded. */
export function DoctorPanel() {
  const t = useSystemTexts();
  const toast = useToast();
  const client = useQueryClient();
  const doctor = useQuery(doctorQuery);
  const again = useMutation<DoctorReport, ApiError>({
    mutationFn: () => call('GET /api/admin/system/doctor', { again: 'true' }, { language: 'de' }),
    onSuccess: (report) => client.setQueryData(doctorQuery.queryKey, report),
    onError: ({ message }) => toast({ title: t('doctor.failed'), text: message, tone: 'error' }),
  });
  const report = doctor.data;
  const listOf = (wanted: DoctorState) =>
    (report?.findings ?? [])
      .filter(({ state }) => state === wanted)
      .map((finding) => <Finding key={JSON.stringify(finding)} finding={finding} />);
  const well = listOf('ok');
  return (
    <Panel
      title={t('doctor')}
      extra={
        report && (
          <Button
            icon={<RefreshCw size={15} aria-hidden />}
            loading={again.isPending}
            onClick={() => again.mutate()}
          >
            {t('doctor.again')}
          </Button>
        )
      }
      footer={report && <Footer report={report} />}
      flush
    >
      {doctor.isPending && <Skeleton active className={styles.waiting ?? ''} paragraph={{ rows: 8 }} />}
      {doctor.isError && !report && (
        <ErrorCard
          title={t('doctor.failed')}
          error={doctor.error}
          retry={() => void doctor.refetch()}
          retrying={doctor.isFetching}
        />
      )}
      {report && (
        <ul className={styles.checks} aria-label={t('doctor')} aria-busy={again.isPending}>
          {doctorStates.filter((state) => state !== 'ok').flatMap((state) => listOf(state))}
          {well.length > 0 && (
            <li className={styles.well}>
              <Fold title={t('doctor.well', { count: well.length })}>
                <ul className={styles.checks}>{well}</ul>
              </Fold>
            </li>
          )}
        </ul>
      )}
    </Panel>
  );
}

function Finding({ finding }: { readonly finding: DoctorFinding }) {
  const t = useSystemTexts();
  const { text, advice, settings, document } = doctorWords(finding, 'de');
  const Icon = icons[finding.state];
  return (
    <li className={styles.check} data-state={finding.state}>
      <Icon size={19} aria-hidden />
      <div className={styles.finding}>
        <p className={styles.step}>
          {doctorChecks[finding.check].de}{' '}
          <span className={styles.detail}>{t(`doctor.state.${finding.state}`)}</span>
        </p>
        <div>
          <p className={styles.found}>{text}</p>
          {advice && <p className={styles.hint}>{advice}</p>}
          {document && (
            <p className={styles.sources}>
              {settings.map((setting) => (
                <code key={setting}>{setting}</code>
              ))}
              <span className={styles.detail}>{t('check.document', { document })}</span>
            </p>
          )}
        </div>
      </div>
    </li>
  );
}

/** When that was, and what is not seen from here. */
function Footer({ report }: { readonly report: DoctorReport }) {
  const t = useSystemTexts();
  const checks = report.notChecked.map((check) => doctorChecks[check].de).join(', ');
  return (
    <p className={styles.quiet}>
      <span role="status">{t('doctor.checkedAt', { time: formatTime(report.checkedAt, 'de') })}</span>{' '}
      {checks && t('doctor.notChecked', { checks })} {t('doctor.more')}{' '}
      <code>{operatorCommand('doctor')}</code>
    </p>
  );
}
