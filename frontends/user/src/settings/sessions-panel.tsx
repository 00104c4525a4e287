import type { Session } from '@talpa/contracts';
import { deviceOf, useDeviceText } from '@talpa/panel-features/audit';
import { formatTime, ownSessionsQuery, useApiMutation, useLanguage, useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { Button, ErrorCard, Facts, Panel, Skeleton, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import styles from './security.module.css';
import { useSettingsTexts } from './texts.ts';

/** Where the user is signed in; each place but this one can be ended. */
export function SessionsPanel() {
  const t = useSettingsTexts();
  const { data, error, isPending, isFetching, refetch } = useQuery(ownSessionsQuery);
  const others = data?.filter((session) => !session.current).length ?? 0;
  return (
    <Panel title={t('sessions')} extra={others > 0 && <EndOthers />}>
      <p className={styles.text}>{t('sessions.text')}</p>
      {isPending && <Skeleton active paragraph={{ rows: 3 }} />}
      {error && (
        <ErrorCard
          title={t('sessions.failed')}
          error={error}
          retry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data && (
        <ul className={styles.list} aria-label={t('sessions')} data-list>
          {data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function SessionRow({ session }: { readonly session: Session }) {
  const t = useSettingsTexts();
  const language = useLanguage();
  const device = useDeviceText()(session.userAgent);
  const Icon = deviceOf(session.userAgent).isPhone ? Smartphone : Monitor;
  const facts = [
    [t('sessions.address'), session.address],
    [t('sessions.since'), formatTime(session.createdAt, language)],
    [t('sessions.lastUsed'), formatTime(session.lastUsedAt, language)],
  ] as const;
  return (
    <li className={styles.session} data-row-key={session.id}>
      <span className={styles.icon}>
        <Icon size={19} aria-hidden />
      </span>
      <div className={styles.what}>
        <div className={styles.device}>
          <strong title={session.userAgent}>{device}</strong>
          {session.current && <Tag color="success">{t('sessions.current')}</Tag>}
        </div>
        <Facts facts={facts} as="inline" />
      </div>
      {!session.current && <EndOne id={session.id} device={device} />}
    </li>
  );
}

function EndOne({ id, device }: { readonly id: string; readonly device: string }) {
  const t = useSettingsTexts();
  const toast = useToast();
  const { mutate, isPending } = useApiMutation('DELETE /api/user/sessions/:id');
  return (
    <Button
      size="small"
      loading={isPending}
      aria-label={t('sessions.endOf', { device })}
      onClick={() =>
        mutate(
          { id },
          {
            onSuccess: () => toast({ title: t('sessions.ended'), text: device, tone: 'success' }),
            onError: ({ message }) => toast({ title: t('sessions.endFailed'), text: message, tone: 'error' }),
          },
        )
      }
    >
      {t('sessions.end')}
    </Button>
  );
}

function EndOthers() {
  const t = useSettingsTexts();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const { mutate, isPending } = useApiMutation('DELETE /api/user/sessions');
  const end = () =>
    mutate(
      {},
      {
        onSuccess: () => {
          setAsking(false);
          toast({ title: t('sessions.endOthers.done'), tone: 'success' });
        },
        onError: ({ message }) => toast({ title: t('sessions.endFailed'), text: message, tone: 'error' }),
      },
    );
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('sessions.endOthers')}</Button>
      <ConfirmDialog
        open={asking}
        title={t('sessions.endOthers.title')}
        confirm={t('sessions.endOthers')}
        danger
        pending={isPending}
        onConfirm={end}
        onCancel={() => setAsking(false)}
      >
        {t('sessions.endOthers.text')}
      </ConfirmDialog>
    </>
  );
}
