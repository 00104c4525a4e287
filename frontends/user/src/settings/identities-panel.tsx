import type { Identity } from '@talpa/contracts';
import {
  formatTime,
  ownIdentitiesQuery,
  signInProvidersQuery,
  useApiMutation,
  useLanguage,
  useRedirect,
  useToast,
} from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { Awaited, Button, ItemRow, ItemsPanel, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import styles from './security.module.css';
import { useSettingsTexts } from './texts.ts';

/** The accounts at sign-in providers that are linked to the user. It is not there where the operator offers no provider. */
export function IdentitiesPanel() {
  const t = useSettingsTexts();
  const { data: providers = [], isLoading } = useQuery(signInProvidersQuery);
  const query = useQuery(ownIdentitiesQuery);
  const { data } = query;
  const unlinking = useConfirm(useApiMutation('DELETE /api/user/identities/:id'), (identity: Identity) => {
    const provider = labelOf(identity);
    return {
      title: t('unlink.title'),
      text: t('unlink.text', { provider, name: identity.name }),
      confirm: t('unlink.submit'),
      input: { id: identity.id },
      done: { title: t('unlink.done'), text: provider },
      failed: t('unlink.failed'),
    };
  });
  if (isLoading || query.isLoading) return <Awaited />;
  if (providers.length === 0 && (data ?? []).length === 0) return null;
  return (
    <ItemsPanel
      title={t('identities')}
      text={t('identities.text')}
      query={query}
      failed={t('identities.loadFailed')}
      row={(identity) => (
        <IdentityRow key={identity.id} identity={identity} onUnlink={() => unlinking.ask(identity)} />
      )}
    >
      {data && <LinkButtons providers={providers} hasSome={data.length > 0} />}
      {unlinking.dialog}
    </ItemsPanel>
  );
}

const labelOf = ({ provider, issuer }: Identity) => provider?.label ?? new URL(issuer).host;

function IdentityRow({ identity, onUnlink }: { readonly identity: Identity; readonly onUnlink: () => void }) {
  const t = useSettingsTexts();
  const language = useLanguage();
  const { id, name, linkedAt, lastUsedAt, provider } = identity;
  const label = labelOf(identity);
  const facts = [
    [t('identities.linked'), formatTime(linkedAt, language)],
    [t('passkeys.lastUsed'), lastUsedAt === null ? t('passkeys.never') : formatTime(lastUsedAt, language)],
  ] as const;
  return (
    <ItemRow
      id={id}
      icon={<Link2 size={19} aria-hidden />}
      head={
        <>
          <strong>{label}</strong>
          <span>{name}</span>
          {provider === null && <Tag color="warning">{t('identities.gone')}</Tag>}
        </>
      }
      facts={facts}
      actions={
        <Button
          size="small"
          aria-label={t('identities.unlinkOf', { provider: label, name })}
          onClick={onUnlink}
        >
          {t('identities.unlink')}
        </Button>
      }
    />
  );
}

/** Leads to a provider, which sends the browser back to the shell's page that links the identity. */
function LinkButtons(props: {
  readonly providers: readonly { readonly id: string; readonly label: string }[];
  readonly hasSome: boolean;
}) {
  const t = useSettingsTexts();
  const toast = useToast();
  const { mutateAsync: start } = useApiMutation('POST /api/user/identities/request');
  const [chosen, redirectTo] = useRedirect();
  const link = (provider: string) =>
    redirectTo(provider, async () => (await start({ provider })).url).catch((error: Error) =>
      toast({ title: t('identities.linkFailed'), text: error.message, tone: 'error' }),
    );
  return (
    <div className={`${styles.buttons} ${props.hasSome ? styles.more : ''}`}>
      {props.providers.map(({ id, label }) => (
        <Button
          key={id}
          className={styles.provider ?? ''}
          loading={chosen === id}
          disabled={chosen !== null && chosen !== id}
          onClick={() => void link(id)}
        >
          {t('identities.link', { provider: label })}
        </Button>
      ))}
    </div>
  );
}
