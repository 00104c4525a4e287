import { preferencesQuery } from '@talpa/panel-kit/core';
import { Tabs } from '@talpa/panel-kit/form';
import { ErrorCard, Page, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useUserTexts } from '../texts/user-texts.ts';
import { AccountTab } from './account-tab.tsx';
import { AppearanceTab } from './appearance-tab.tsx';
import { NotificationsTab } from './notifications-tab.tsx';

/** One's own account, notifications and appearance; each tab saves all preferences. */
export function SettingsPage() {
  const t = useUserTexts();
  const { data, error, isPending, isFetching, refetch } = useQuery(preferencesQuery);
  return (
    <Page title={t('settings.title')} subtitle={t('settings.subtitle')}>
      <Panel>
        {isPending && <Skeleton active paragraph={{ rows: 6 }} />}
        {error && <ErrorCard error={error} retry={() => void refetch()} retrying={isFetching} />}
        {data && (
          <Tabs
            items={[
              { key: 'account', label: t('settings.account'), children: <AccountTab preferences={data} /> },
              {
                key: 'notifications',
                label: t('settings.notifications'),
                children: <NotificationsTab preferences={data} />,
              },
              {
                key: 'appearance',
                label: t('settings.appearance'),
                children: <AppearanceTab preferences={data} />,
              },
            ]}
          />
        )}
      </Panel>
    </Page>
  );
}
