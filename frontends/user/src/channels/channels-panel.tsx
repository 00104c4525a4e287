import type { Channel } from '@talpa/contracts';
import { channelsPerUser } from '@talpa/contracts/channel-kinds';
import { ownChannelsQuery } from '@talpa/panel-kit/core';
import { Button, ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { About } from './about.ts';
import { ChannelDialog } from './channel-dialog.tsx';
import { ChannelRow } from './channel-row.tsx';
import styles from './channels.module.css';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { RenewDialog } from './renew-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useChannelTexts } from './texts.ts';

type Shown = About | 'create' | 'secret' | null;

/** Where notifications go beside inbox and email. */
export function ChannelsPanel() {
  const t = useChannelTexts();
  const { data, error, isPending, isFetching, refetch } = useQuery(ownChannelsQuery);
  const [shown, setShown] = useState<Shown>(null);
  // Kept while its dialog closes, so that the dialog does not go blank.
  const [selected, setSelected] = useState<Channel | null>(null);
  const [secret, setSecret] = useState('');
  const close = () => setShown(null);
  const showSecret = (made: string | null) => {
    setSecret(made ?? '');
    setShown(made === null ? null : 'secret');
  };
  const isFull = (data?.length ?? 0) >= channelsPerUser;
  const about = (one: About, channel: Channel) => ({ open: shown === one, channel, onClose: close });
  return (
    <Panel
      title={t('channels')}
      extra={
        <Button
          icon={<Plus size={15} aria-hidden />}
          disabled={!data || isFull}
          onClick={() => setShown('create')}
        >
          {t('create')}
        </Button>
      }
    >
      <p className={styles.text}>
        {t('channels.text')} {isFull && t('channels.limit', { count: channelsPerUser })}
      </p>
      {isPending && <Skeleton active paragraph={{ rows: 2 }} />}
      {error && (
        <ErrorCard
          title={t('channels.failed')}
          error={error}
          retry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data?.length === 0 && <p className={styles.note}>{t('channels.empty')}</p>}
      {data && data.length > 0 && (
        <ul className={styles.list} aria-label={t('channels')} data-list>
          {data.map((channel) => (
            <ChannelRow
              key={channel.id}
              channel={channel}
              onAction={(next) => {
                setSelected(channel);
                setShown(next);
              }}
            />
          ))}
        </ul>
      )}
      <ChannelDialog open={shown === 'create'} channel={null} onDone={showSecret} onClose={close} />
      {selected && <ChannelDialog {...about('edit', selected)} onDone={close} />}
      {selected && <DeliveriesDialog {...about('history', selected)} />}
      {selected && <RenewDialog {...about('renew', selected)} onDone={showSecret} />}
      {selected && <RemoveDialog {...about('remove', selected)} />}
      <SecretDialog open={shown === 'secret'} secret={secret} onClose={close} />
    </Panel>
  );
}
