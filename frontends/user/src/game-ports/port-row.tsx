import type { GamePort } from '@talpa/contracts';
import { formatBytes, formatCount, formatTime, useLanguage } from '@talpa/panel-kit/core';
import { LongText } from '@talpa/panel-kit/table';
import { Button, CopyButton, type Fact, ItemRow, Tag } from '@talpa/panel-kit/ui';
import { Gamepad2 } from 'lucide-react';
import { useGamePortTexts } from './texts.ts';

const colors = {
  open: 'success',
  no_connector: 'warning',
  suspended: 'error',
  no_address: 'error',
  out_of_range: 'error',
  not_opened: 'error',
  off: 'error',
} as const;

/** One game port: its address, where it leads, who may connect, and what goes through it. */
export function PortRow(props: {
  readonly port: GamePort;
  /** Its public address. */
  readonly shown: string;
  readonly onGuide: () => void;
  /** Left out for readers who may not change it. Without `onEdit` it can only be removed. */
  readonly manage?: { readonly onEdit?: (() => void) | undefined; readonly onRemove: () => void } | undefined;
}) {
  const t = useGamePortTexts();
  const { port, shown: address } = props;
  return (
    <ItemRow
      id={port.id}
      icon={<Gamepad2 size={19} aria-hidden />}
      head={
        <>
          <strong>
            <LongText text={address} />
          </strong>
          <Tag color={colors[port.state]}>{t(`state.${port.state}`)}</Tag>
          <CopyButton quiet text={address} label={t('copy', { address })} />
        </>
      }
      facts={useFacts(port)}
      inColumns
      actions={
        <>
          <Button size="small" aria-label={t('guide.of', { address })} onClick={props.onGuide}>
            {t('guide')}
          </Button>
          {props.manage && (
            <>
              {props.manage.onEdit && (
                <Button size="small" aria-label={t('edit.of', { address })} onClick={props.manage.onEdit}>
                  {t('edit')}
                </Button>
              )}
              <Button size="small" aria-label={t('remove.of', { address })} onClick={props.manage.onRemove}>
                {t('remove')}
              </Button>
            </>
          )}
        </>
      }
    />
  );
}

function useFacts({
  targetHost,
  targetPort,
  preset,
  rules,
  proxyProtocol,
  traffic,
}: GamePort): readonly Fact[] {
  const t = useGamePortTexts();
  const language = useLanguage();
  const bytes = (count: number) => formatBytes(count, language);
  const { open, bytesInDay, bytesOutDay, lastConnectionAt } = traffic;
  return [
    [t('preset'), [t(`preset.${preset}`), ...(proxyProtocol ? [t('proxyProtocol')] : [])].join(', ')],
    [t('target'), targetHost.includes(':') ? `[${targetHost}]:${targetPort}` : `${targetHost}:${targetPort}`],
    [
      t('access'),
      rules.kind === 'open'
        ? t('access.open')
        : t(`access.rules.${rules.otherwise}`, { count: rules.rules.length }),
    ],
    [t('openNow'), formatCount(open, language)],
    [t('day'), t('day.bytes', { received: bytes(bytesInDay), sent: bytes(bytesOutDay) })],
    [t('last'), lastConnectionAt ? formatTime(lastConnectionAt, language) : t('last.never')],
  ];
}
