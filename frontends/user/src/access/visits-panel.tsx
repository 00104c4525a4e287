import type { Visit } from '@talpa/contracts';
import {
  formatCount,
  formatList,
  formatTime,
  proxyVisitsQuery,
  useApiMutation,
  useLanguage,
  useToast,
} from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { LongText } from '@talpa/panel-kit/table';
import { Button, type Fact, ItemRow, ItemsPanel, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, UserRound } from 'lucide-react';
import { useRequestTexts } from '../requests/texts.ts';
import { useAccessTexts } from './texts.ts';

/** What time alone ends no live message says; in ms. */
const readAgainMs = 30_000;

/** Who has passed the wall of a proxy and is still in, for those who may end it. */
export function VisitsPanel({ proxyId }: { readonly proxyId: number }) {
  const t = useAccessTexts();
  const language = useLanguage();
  const query = useQuery({ ...proxyVisitsQuery(proxyId), staleTime: 0, refetchInterval: readAgainMs });
  const { data } = query;
  const isCut = data !== undefined && data.count > data.visits.length;
  const count = formatCount(data?.count ?? 0, language);
  return (
    <ItemsPanel
      title={t('visits.title')}
      extra={data && data.count > 0 && <EndAll proxyId={proxyId} />}
      text={
        <>
          {t('visits.text')}{' '}
          {isCut && t('visits.cut', { shown: formatCount(data.visits.length, language), count })}
        </>
      }
      query={{ ...query, data: data?.visits }}
      failed={t('visits.failed')}
      empty={t('visits.empty')}
      row={(visit) => <VisitListRow key={visit.id} proxyId={proxyId} visit={visit} />}
    />
  );
}

/** What a visitor is called: by their name at Talpa, else by what they had. */
function useVisitorName(): (visit: Visit) => string {
  const t = useAccessTexts();
  const language = useLanguage();
  return ({ userId, username, email, methods }) => {
    if (username !== null) return username;
    if (userId !== null) return t('visits.unknown', { id: userId });
    if (email !== null) return email;
    return formatList(
      methods.map((method) => t(`methodName.${method}`)),
      language,
    );
  };
}

function VisitListRow({ proxyId, visit }: { readonly proxyId: number; readonly visit: Visit }) {
  const t = useAccessTexts();
  const language = useLanguage();
  const requests = useRequestTexts();
  const name = useVisitorName()(visit);
  const Icon = visit.userId === null ? KeyRound : UserRound;
  const methods = visit.methods.map((method) => t(`methodName.${method}`));
  const facts: readonly Fact[] = [
    [
      t('visits.methods'),
      visit.userId === null && visit.email === null ? null : formatList(methods, language),
    ],
    [t('visits.email'), visit.userId === null ? null : visit.email],
    [t('visits.network'), visit.network],
    [t('visits.agent'), requests(`agent.${visit.agent}`)],
    [t('visits.since'), formatTime(visit.createdAt, language)],
    [t('visits.until'), formatTime(visit.endsAt, language)],
  ];
  return (
    <ItemRow
      id={visit.id}
      icon={<Icon size={19} aria-hidden />}
      head={
        <>
          <strong>
            <LongText text={name} />
          </strong>
          {visit.isAdmin && <Tag>{t('visits.admin')}</Tag>}
        </>
      }
      facts={facts}
      actions={<EndOne proxyId={proxyId} visit={visit} name={name} />}
    />
  );
}

function EndOne(props: { readonly proxyId: number; readonly visit: Visit; readonly name: string }) {
  const t = useAccessTexts();
  const toast = useToast();
  const language = useLanguage();
  const { name } = props;
  const { mutate, isPending } = useApiMutation('DELETE /api/tunnel-configs/:id/visits/:visitId');
  return (
    <Button
      size="small"
      loading={isPending}
      aria-label={t('visits.endOf', { name, since: formatTime(props.visit.createdAt, language) })}
      onClick={() =>
        mutate(
          { id: props.proxyId, visitId: props.visit.id },
          {
            onSuccess: () => toast({ title: t('visits.ended'), text: name, tone: 'success' }),
            onError: ({ message }) => toast({ title: t('visits.endFailed'), text: message, tone: 'error' }),
          },
        )
      }
    >
      {t('visits.end')}
    </Button>
  );
}

function EndAll({ proxyId }: { readonly proxyId: number }) {
  const t = useAccessTexts();
  const end = useConfirm(useApiMutation('DELETE /api/tunnel-configs/:id/visits'), () => ({
    title: t('visits.endAll.title'),
    text: t('visits.endAll.text'),
    confirm: t('visits.endAll'),
    input: { id: proxyId },
    done: { title: t('visits.endAll.done') },
    failed: t('visits.endFailed'),
  }));
  return (
    <>
      <Button onClick={() => end.ask()}>{t('visits.endAll')}</Button>
      {end.dialog}
    </>
  );
}
