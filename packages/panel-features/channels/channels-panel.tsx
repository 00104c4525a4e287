import type { InstallationChannel } from '@talpa/contracts';
import { Button, ItemsPanel } from '@talpa/panel-kit/ui';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { About } from './about.ts';
import { ChannelDialog } from './channel-dialog.tsx';
import { ChannelRow } from './channel-row.tsx';
import { type Channels, ChannelsContext, useShownChannels } from './channels.ts';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { RenewDialog } from './renew-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useChannelTexts } from './texts.ts';

type Shown = About | 'create' | 'secret' | null;

/**
 * Where notifications, or events of the installation, go.
 * @param text what goes there
 */
export function ChannelsPanel({ channels, text }: { readonly channels: Channels; readonly text: string }) {
  return (
    <ChannelsContext value={channels}>
      <ShownChannels text={text} />
    </ChannelsContext>
  );
}

function ShownChannels({ text }: { readonly text: string }) {
  const t = useChannelTexts();
  const { most, useChannels } = useShownChannels();
  const query = useChannels();
  const { data } = query;
  const [shown, setShown] = useState<Shown>(null);
  // Kept while its dialog closes, so that the dialog does not go blank.
  const [selected, setSelected] = useState<InstallationChannel | null>(null);
  const [secret, setSecret] = useState('');
  const close = () => setShown(null);
  const showSecret = (made: string | null) => {
    setSecret(made ?? '');
    setShown(made === null ? null : 'secret');
  };
  const isFull = (data?.length ?? 0) >= most;
  const about = (one: About, channel: InstallationChannel) => ({
    open: shown === one,
    channel,
    onClose: close,
  });
  return (
    <ItemsPanel
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
      text={
        <>
          {text} {isFull && t('channels.limit', { count: most })}
        </>
      }
      query={query}
      failed={t('channels.failed')}
      empty={t('channels.empty')}
      row={(channel) => (
        <ChannelRow
          key={channel.id}
          channel={channel}
          onAction={(next) => {
            setSelected(channel);
            setShown(next);
          }}
        />
      )}
    >
      <ChannelDialog open={shown === 'create'} channel={null} onDone={showSecret} onClose={close} />
      {selected && <ChannelDialog {...about('edit', selected)} onDone={close} />}
      {selected && <DeliveriesDialog {...about('history', selected)} />}
      {selected && <RenewDialog {...about('renew', selected)} onDone={showSecret} />}
      {selected && <RemoveDialog {...about('remove', selected)} />}
      {secret && (
        <SecretDialog
          open={shown === 'secret'}
          secret={secret}
          onClose={() => {
            close();
            // The page must not keep it.
            setSecret('');
          }}
        />
      )}
    </ItemsPanel>
  );
}
