import { call, type ResponseBody, useApiMutation, useHeadOf } from '@talpa/panel-kit/core';
import { useSearchParams } from '@talpa/panel-kit/router';
import { Alert, BackLink, Button, ErrorCard, Facts, Page, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { pages } from '../pages.ts';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './visit.module.css';

/**
 * Sends a signed-in visitor back to the proxy whose wall has sent them here. It always asks before: anybody can make a link to here,
 * and whose proxy it leads to then learns who they are.
 */
export function VisitPage() {
  const t = useUserTexts();
  const head = useHeadOf(pages.visit);
  const [search] = useSearchParams();
  const host = search.get('host') ?? '';
  const query = useQuery({
    queryKey: ['/api/walls', host],
    queryFn: () => call('GET /api/walls/:host', { host }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  return (
    <Page {...head} back={<BackLink to={pages.proxies.path} text={t('proxy.back')} />}>
      <Panel>
        {query.isPending && <Skeleton active paragraph={{ rows: 3 }} />}
        {query.error && <ErrorCard title={t('visit.failed')} error={query.error} />}
        {query.data && <Question wall={query.data} host={host} state={search.get('state') ?? ''} />}
      </Panel>
    </Page>
  );
}

function Question(props: {
  readonly wall: ResponseBody<'GET /api/walls/:host'>;
  readonly host: string;
  readonly state: string;
}) {
  const { wall, host, state } = props;
  const t = useUserTexts();
  const { mutate, error, isPending, isSuccess } = useApiMutation('POST /api/access-codes');
  const leave = () => mutate({ host, state }, { onSuccess: ({ url }) => window.location.replace(url) });
  return (
    <>
      <h2 className={styles.title}>{t('visit.title', { name: wall.serverName })}</h2>
      <Facts
        as="table"
        facts={[
          [t('visit.address'), wall.url],
          [t('visit.owner'), wall.as === 'owner' ? t('visit.you') : wall.ownerName],
        ]}
      />
      <p className={styles.text}>{t(`visit.as.${wall.as}`)}</p>
      <p className={styles.text}>{t('visit.caution')}</p>
      {error && (
        <Alert type="error" showIcon role="alert" title={t('visit.failed')} description={error.message} />
      )}
      <div className={styles.action}>
        <Button type="primary" loading={isPending || isSuccess} onClick={leave}>
          {t('visit.continue')}
        </Button>
      </div>
    </>
  );
}
