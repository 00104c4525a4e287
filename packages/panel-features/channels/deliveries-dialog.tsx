import type { InstallationChannel } from '@talpa/contracts';
import { formatTime, useLanguage, useToast } from '@talpa/panel-kit/core';
import { Dialog, Input } from '@talpa/panel-kit/form';
import { Button, ErrorCard, type Fact, Facts, Skeleton, Tag } from '@talpa/panel-kit/ui';
import { useState } from 'react';
import styles from './channels.module.css';
import { type AnyDelivery, useShownChannels } from './channels.ts';
import { useChannelTexts } from './texts.ts';
import { useWhy } from './why.ts';

const colors = {
  queued: 'processing',
  sending: 'processing',
  delivered: 'success',
  given_up: 'error',
  canceled: 'default',
  held: 'warning',
} as const;

/** What was sent to a channel, with the request and the answer of each. */
export function DeliveriesDialog(props: {
  readonly open: boolean;
  readonly channel: InstallationChannel;
  readonly onClose: () => void;
}) {
  const t = useChannelTexts();
  return (
    <Dialog
      open={props.open}
      title={t('deliveries.title', { name: props.channel.name })}
      okText={t('close')}
      cancelButtonProps={{ style: { display: 'none' } }}
      closable={{ 'aria-label': t('close') }}
      onOk={props.onClose}
      onCancel={props.onClose}
      width={720}
    >
      <p className={styles.text}>{t('deliveries.text')}</p>
      <Deliveries id={props.channel.id} />
    </Dialog>
  );
}

function Deliveries({ id }: { readonly id: number }) {
  const t = useChannelTexts();
  const list = useShownChannels().useDeliveries(id);
  const { data, error, isPending, isFetching, refetch } = list;
  if (isPending) return <Skeleton active paragraph={{ rows: 3 }} />;
  if (!data)
    return (
      <ErrorCard
        title={t('deliveries.failed')}
        error={error}
        retry={() => void refetch()}
        retrying={isFetching}
      />
    );
  if (data.length === 0) return <p className={styles.note}>{t('deliveries.empty')}</p>;
  return (
    <>
      <ul className={styles.list} data-list>
        {data.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          className={styles.more ?? ''}
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('deliveries.more')}
        </Button>
      )}
    </>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: AnyDelivery }) {
  const t = useChannelTexts();
  const language = useLanguage();
  const toast = useToast();
  const channels = useShownChannels();
  const titleOf = channels.useTitleOf();
  const whyOf = useWhy();
  const [isOpen, setIsOpen] = useState(false);
  const again = channels.useSendAgain();
  const { id, notifications, state, createdAt, attempts, status, failure } = delivery;
  const [first, ...others] = notifications;
  const title = !first
    ? t('delivery.test')
    : others.length === 0
      ? titleOf(first)
      : t('delivery.several', { count: notifications.length });
  const time = formatTime(createdAt, language);
  const isOnItsWay = state === 'sending' || (state === 'queued' && attempts === 0);
  const hasFailed = failure !== null || (status !== null && state !== 'delivered');
  return (
    <li className={styles.channel} data-row-key={id}>
      <div className={styles.head}>
        <strong>{title}</strong>
        <Tag color={colors[state]}>{t(`delivery.${state}`)}</Tag>
      </div>
      <p className={styles.note}>{hasFailed ? `${time}, ${whyOf({ status, failure })}` : time}</p>
      <div className={styles.actions}>
        <Button
          size="small"
          aria-expanded={isOpen}
          aria-label={t('delivery.showOf', { title, time })}
          onClick={() => setIsOpen(!isOpen)}
        >
          {t('delivery.show')}
        </Button>
        <Button
          size="small"
          disabled={isOnItsWay}
          loading={again.isPending}
          aria-label={t('delivery.againOf', { title, time })}
          onClick={() =>
            again.mutate(
              { id },
              {
                onSuccess: () => toast({ title: t('delivery.againDone'), text: title, tone: 'success' }),
                onError: ({ message }) =>
                  toast({ title: t('delivery.againFailed'), text: message, tone: 'error' }),
              },
            )
          }
        >
          {t('delivery.again')}
        </Button>
      </div>
      {isOpen && <Details id={id} />}
    </li>
  );
}

function Details({ id }: { readonly id: number }) {
  const t = useChannelTexts();
  const language = useLanguage();
  const whyOf = useWhy();
  const { data, error, isPending, isFetching, refetch } = useShownChannels().useDelivery(id);
  if (isPending) return <Skeleton active paragraph={{ rows: 2 }} />;
  if (!data)
    return (
      <ErrorCard
        title={t('delivery.detailsFailed')}
        error={error}
        retry={() => void refetch()}
        retrying={isFetching}
      />
    );
  const { attempts, uncertainAttempts, nextAttemptAt, status, failure, durationMs, messageId } = data;
  const facts: Fact[] = [
    [t('delivery.attempts'), String(attempts)],
    ...(uncertainAttempts > 0 ? [[t('delivery.uncertain'), String(uncertainAttempts)] as const] : []),
    ...(nextAttemptAt === null ? [] : [[t('delivery.next'), formatTime(nextAttemptAt, language)] as const]),
    ...(status === null && failure === null
      ? []
      : [[t('delivery.result'), whyOf({ status, failure })] as const]),
    ...(durationMs === null ? [] : [[t('delivery.duration'), t('delivery.ms', { ms: durationMs })] as const]),
    [t('delivery.id'), messageId],
  ];
  const texts = [
    [t('delivery.request'), data.request],
    [t('delivery.answer'), data.answer],
  ] as const;
  return (
    <>
      <Facts as="inline" facts={facts} />
      {texts.map(
        ([label, text]) =>
          text && (
            <div key={label}>
              <p className={styles.label}>{label}</p>
              <Input.TextArea readOnly value={text} aria-label={label} rows={5} />
            </div>
          ),
      )}
    </>
  );
}
