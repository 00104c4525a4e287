import { useApiMutation, useHeadOf } from '@talpa/panel-kit/core';
import { useSearchParams } from '@talpa/panel-kit/router';
import { ErrorCard, Loading, Page, Panel } from '@talpa/panel-kit/ui';
import { useEffect, useEffectEvent } from 'react';
import { pages } from '../pages.ts';
import { useUserTexts } from '../texts/user-texts.ts';

/** Sends a signed-in visitor back to the proxy whose wall has sent them here. */
export function VisitPage() {
  const t = useUserTexts();
  const head = useHeadOf(pages.visit);
  const [search] = useSearchParams();
  const origin = search.get('origin') ?? '';
  const state = search.get('state') ?? '';
  const { mutate, error, isPending } = useApiMutation('POST /api/access-codes');
  const leave = () => mutate({ origin, state }, { onSuccess: ({ url }) => window.location.replace(url) });
  const leaveFirst = useEffectEvent(leave);
  useEffect(() => leaveFirst(), []);
  return (
    <Page {...head}>
      <Panel flush>
        {error ? (
          <ErrorCard title={t('visit.failed')} error={error} retry={leave} retrying={isPending} />
        ) : (
          <Loading />
        )}
      </Panel>
    </Page>
  );
}
