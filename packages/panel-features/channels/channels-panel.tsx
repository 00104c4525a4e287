import type { InstallationChannel } from '@talpa/contracts';
import { useConfirm } from '@talpa/panel-kit/form';
import { Button, ItemsPanel } from '@talpa/panel-kit/ui';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ChannelDialog } from './channel-dialog.tsx';
import { ChannelRow } from './channel-row.tsx';
import { type Channels, ChannelsContext, useShownChannels } from './channels.ts';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useChannelTexts } from './texts.ts';

type Shown = 'create' | 'edit' | 'history' | 'secret' | null;

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
  const { most, useChannels, useRemove, useRenew } = useShownChannels();
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
  const removal = useConfirm(useRemove(), ({ id, name }: InstallationChannel) => ({
    title: t('remove.title'),
    text: t('remove.text', { name }),
    confirm: t('remove.submit'),
    input: { id },
    done: { title: t('remove.done'), text: name },
    failed: t('remove.failed'),
  }));
  const renewal = useConfirm(useRenew(), ({ id }: InstallationChannel) => ({
    title: t('renew.title'),
    text: t('renew.text'),
    confirm: t('renew.submit'),
    danger: false,
    input: { id },
    failed: t('renew.failed'),
    onDone: ({ secret: made }) => showSecret(made),
  }));
  const isFull = (data?.length ?? 0) >= most;
  const about = (one: Shown, channel: InstallationChannel) => ({
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
          onAction={(action) => {
            if (action === 'remove') return removal.ask(channel);
            if (action === 'renew') return renewal.ask(channel);
            setSelected(channel);
            setShown(action);
          }}
        />
      )}
    >
      <ChannelDialog open={shown === 'create'} channel={null} onDone={showSecret} onClose={close} />
      {selected && <ChannelDialog {...about('edit', selected)} onDone={close} />}
      {selected && <DeliveriesDialog {...about('history', selected)} />}
      {renewal.dialog}
      {removal.dialog}
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
