import type { Session } from '@talpa/contracts';
import { deviceOf, useDeviceText } from '@talpa/panel-features/audit';
import { formatTime, ownSessionsQuery, useApiMutation, useLanguage, useToast } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { Button, ItemRow, ItemsPanel, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useSettingsTexts } from './texts.ts';

/** Where the user is signed in; each place but this one can be ended. */
export function SessionsPanel() {
  const t = useSettingsTexts();
  const query = useQuery(ownSessionsQuery);
  const others = query.data?.filter((session) => !session.current).length ?? 0;
  return (
    <ItemsPanel
      title={t('sessions')}
      extra={others > 0 && <EndOthers />}
      text={t('sessions.text')}
      query={query}
      failed={t('sessions.failed')}
      row={(session) => <SessionRow key={session.id} session={session} />}
    />
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
    <ItemRow
      id={session.id}
      icon={<Icon size={19} aria-hidden />}
      head={
        <>
          <strong title={session.userAgent}>{device}</strong>
          {session.current && <Tag color="success">{t('sessions.current')}</Tag>}
        </>
      }
      facts={facts}
      actions={!session.current && <EndOne id={session.id} device={device} />}
    />
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
  const end = useConfirm(useApiMutation('DELETE /api/user/sessions'), () => ({
    title: t('sessions.endOthers.title'),
    text: t('sessions.endOthers.text'),
    confirm: t('sessions.endOthers'),
    input: {},
    done: { title: t('sessions.endOthers.done') },
    failed: t('sessions.endFailed'),
  }));
  return (
    <>
      <Button onClick={() => end.ask()}>{t('sessions.endOthers')}</Button>
      {end.dialog}
    </>
  );
}
