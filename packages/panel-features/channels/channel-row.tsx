import type { InstallationChannel } from '@talpa/contracts';
import { formatTime, useAgo, useLanguage, useToast } from '@talpa/panel-kit/core';
import { Switch } from '@talpa/panel-kit/form';
import { Alert, Button, Facts, Tag } from '@talpa/panel-kit/ui';
import styles from './channels.module.css';
import { useShownChannels } from './channels.ts';
import { useChannelTexts } from './texts.ts';
import { useWhy } from './why.ts';

const colors = { active: 'success', paused: 'default', gone: 'error', failing: 'error' } as const;

type Action = 'edit' | 'history' | 'renew' | 'remove';

/** One channel, how it does, and what can be done with it. */
export function ChannelRow({
  channel,
  onAction,
}: {
  readonly channel: InstallationChannel;
  readonly onAction: (action: Action) => void;
}) {
  const t = useChannelTexts();
  const toast = useToast();
  const language = useLanguage();
  const { id, kind, name, host, state, topics, formerSecretUntil } = channel;
  const channels = useShownChannels();
  const change = channels.useUpdate();
  const test = channels.useTest();
  const failed = (title: string) => (error: { readonly message: string }) =>
    toast({ title, text: error.message, tone: 'error' });
  const isOff = state === 'gone' || state === 'failing';
  const actions: readonly (readonly [Action, string, string])[] = [
    ['history', t('history'), t('history.of', { name })],
    ['edit', t('edit'), t('edit.of', { name })],
    ...(kind === 'webhook' ? [['renew', t('renew'), t('renew.of', { name })] as const] : []),
    ['remove', t('remove'), t('remove.of', { name })],
  ];
  return (
    <li className={styles.channel} data-row-key={id}>
      <div className={styles.head}>
        <strong>{name}</strong>
        <Tag color={colors[state]}>{t(`state.${state}`)}</Tag>
        <Switch
          className={styles.switch ?? ''}
          aria-label={t('on', { name })}
          checked={state === 'active'}
          loading={change.isPending}
          onChange={(on) => change.mutate({ id, isPaused: !on }, { onError: failed(t('switch.failed')) })}
        />
      </div>
      <Facts
        as="inline"
        facts={[
          [t('target'), `${t(`kind.${kind}`)}, ${host}`],
          [t('topics'), topics.map((topic) => t(`topic.${topic}`)).join(', ')],
          [t('last'), <Last key="last" last={channel.last} />],
        ]}
      />
      {isOff && <Alert type="warning" showIcon title={t(`state.${state}.text`)} />}
      {formerSecretUntil !== null && (
        <p className={styles.note}>{t('former.until', { time: formatTime(formerSecretUntil, language) })}</p>
      )}
      <div className={styles.actions}>
        <Button
          size="small"
          loading={test.isPending}
          aria-label={t('test.of', { name })}
          onClick={() =>
            test.mutate(
              { id },
              {
                onSuccess: () => toast({ title: t('test.sent'), text: t('test.sentText'), tone: 'success' }),
                onError: failed(t('test.failed')),
              },
            )
          }
        >
          {t('test')}
        </Button>
        {actions.map(([action, text, label]) => (
          <Button key={action} size="small" aria-label={label} onClick={() => onAction(action)}>
            {text}
          </Button>
        ))}
      </div>
    </li>
  );
}

function Last({ last }: Pick<InstallationChannel, 'last'>) {
  const t = useChannelTexts();
  const ago = useAgo();
  const whyOf = useWhy();
  if (!last) return t('last.none');
  return last.isSuccess
    ? t('last.ok', { ago: ago(last.at) })
    : t('last.failed', { ago: ago(last.at), why: whyOf(last) });
}
