import type { Preferences } from '@talpa/contracts';
import {
  ApiError,
  preferencesQuery,
  setAppearance,
  useHeadOf,
  useIsNarrow,
  useToast,
  useUnsaved,
  useUser,
} from '@talpa/panel-kit/core';
import { type ConflictHandle, EditConflict, Form, Tabs, useSubmit } from '@talpa/panel-kit/form';
import { useSearchParams } from '@talpa/panel-kit/router';
import { ErrorCard, Page, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { pages } from '../pages.ts';
import { AccountTab } from './account-tab.tsx';
import { AppearanceTab } from './appearance-tab.tsx';
import { loadNotificationsTab, NotificationsTab } from './notifications-tab.tsx';
import { SaveBar } from './save-bar.tsx';
import { loadSecurityTab, SecurityTab } from './security-tab.tsx';
import styles from './settings.module.css';
import { type Tab, tabs } from './tabs.ts';
import { useSettingsTexts } from './texts.ts';
import { useDescribe } from './use-describe.ts';
import { useDraft } from './use-draft.ts';
import { useFieldFocus } from './use-field-focus.ts';
import { useSavePreferences } from './use-save.ts';

/** The user's account, notifications, appearance and security. The tab stands in the address. */
export function SettingsPage() {
  const head = useHeadOf(pages.settings);
  const user = useUser();
  // Elsewhere other values may have been saved since.
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...preferencesQuery,
    refetchOnMount: 'always',
  });
  return (
    <Page {...head}>
      {isPending && (
        <Panel>
          <Skeleton active paragraph={{ rows: 6 }} />
        </Panel>
      )}
      {!data && error && (
        <Panel>
          <ErrorCard error={error} retry={() => void refetch()} retrying={isFetching} />
        </Panel>
      )}
      {data && <SettingsTabs key={user.id} preferences={data} />}
    </Page>
  );
}

/** The tabs edit one draft: whichever is saved from, all of it is saved. */
function SettingsTabs({ preferences }: { readonly preferences: Preferences }) {
  const t = useSettingsTexts();
  const toast = useToast();
  const [tab, setTab] = useTab();
  const narrow = useIsNarrow();
  const { edited, base, conflict, isDirty, change, discard, takeTheirs, keepMine } = useDraft(preferences);
  const [form] = Form.useForm<Pick<Preferences, 'email'>>();
  const focusLater = useFieldFocus(tab, setTab);
  const save = useSavePreferences();
  const describe = useDescribe();
  useEffect(() => {
    loadNotificationsTab();
    loadSecurityTab();
  }, []);
  const choice = useRef<ConflictHandle>(null);
  const hasConflict = conflict.length > 0;
  useEffect(() => {
    if (hasConflict) choice.current?.show();
  }, [hasConflict]);
  const send = async () => {
    await save({ base, edited }).catch((error: unknown) => {
      // The only field that can be refused stands there.
      if (error instanceof ApiError && error.issues.length > 0) {
        focusLater('email');
      }
      throw error;
    });
  };
  const { submit, pending } = useSubmit(form, send, (text) =>
    toast({ title: t('saveFailed'), text, tone: 'error' }),
  );
  useUnsaved(() => isDirty, { spansTabs: true });
  usePreview(edited.appearance, preferences.appearance);
  const saveAll = () => (hasConflict ? choice.current?.ask() : submit(edited));
  const bar = <SaveBar isDirty={isDirty} pending={pending} onDiscard={discard} />;
  const shared = { draft: edited, change, onSave: saveAll, bar };
  const content = {
    account: <AccountTab {...shared} form={form} />,
    notifications: <NotificationsTab {...shared} />,
    appearance: <AppearanceTab {...shared} />,
    security: <SecurityTab />,
  };
  return (
    <>
      <EditConflict
        base={{ values: base, conflict, followed: [], takeTheirs, keepMine }}
        describe={describe}
        onChosen={() => focusLater(conflict[0]?.name)}
        ref={choice}
      />
      <Tabs
        className={styles.tabs ?? ''}
        tabBarGutter={narrow ? 12 : 24}
        activeKey={tab}
        onChange={(key) => setTab(key as Tab)}
        items={tabs.map((key) => ({
          key,
          label: t(`tab.${key}`),
          children: content[key],
          // Opened again it is fetched again; the others keep what was typed.
          destroyOnHidden: key === 'security',
        }))}
      />
    </>
  );
}

function useTab(): [Tab, (tab: Tab) => void] {
  const [search, setSearch] = useSearchParams();
  const tab = tabs.find((one) => one === search.get('tab')) ?? 'account';
  return [tab, (next) => setSearch(next === 'account' ? {} : { tab: next }, { preventScrollReset: true })];
}

/** The appearance is seen at once; what was not saved is gone when the page is left. */
function usePreview(shown: Preferences['appearance'], saved: Preferences['appearance']): void {
  const restore = useEffectEvent(() => setAppearance(saved));
  useEffect(() => setAppearance(shown), [shown]);
  useEffect(() => () => restore(), []);
}
