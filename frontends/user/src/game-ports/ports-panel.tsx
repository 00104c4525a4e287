import type { GamePort, GamePorts, ProxyConfig } from '@talpa/contracts';
import { includesRole, roleOf } from '@talpa/contracts/roles';
import { gamePortsQuery, useApiMutation, useUser } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { Link } from '@talpa/panel-kit/router';
import { Alert, Button, ItemsPanel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { pages } from '../pages.ts';
import { AddDialog } from './add-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { GuideDialog } from './guide-dialog.tsx';
import { PortRow } from './port-row.tsx';
import { useGamePortTexts } from './texts.ts';

/** What goes through ports changes without a message of the live stream. */
const lookMs = 10_000;

/** The game ports of a proxy. */
export function PortsPanel({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useGamePortTexts();
  const user = useUser();
  const query = useQuery({ ...gamePortsQuery(proxy.id), refetchInterval: lookMs });
  const [shown, setShown] = useState<'add' | 'edit' | 'guide' | null>(null);
  // Kept while its dialog closes, so that it does not go blank.
  const [selected, setSelected] = useState<GamePort | null>(null);
  const { data, refetch } = query;
  const mayManage = includesRole(roleOf(proxy), 'manage');
  const host = data?.host ?? proxy.cfDomain;
  const addressOf = ({ publicPort }: GamePort) => `${host}:${publicPort}`;
  const changed = () => void refetch();
  const removal = useConfirm(
    useApiMutation('DELETE /api/tunnel-configs/:id/ports/:portId'),
    (port: GamePort) => ({
      title: t('remove.title'),
      text: t('remove.text', { address: addressOf(port) }),
      confirm: t('remove.submit'),
      input: { id: proxy.id, portId: port.id },
      done: { title: t('remove.done'), text: addressOf(port) },
      failed: t('remove.failed'),
      onDone: changed,
    }),
  );
  const select = (what: 'edit' | 'guide', port: GamePort) => () => {
    setSelected(port);
    setShown(what);
  };
  const current = data?.ports.find(({ id }) => id === selected?.id);
  const about = { proxyId: proxy.id, onClose: () => setShown(null) };
  const isAvailable = data?.availability === 'available';
  const mine = data?.address ?? '';
  return (
    <ItemsPanel
      title={t('title')}
      extra={
        mayManage && (
          <Button
            icon={<Plus size={15} aria-hidden />}
            disabled={!isAvailable || data.used >= data.limit}
            onClick={() => setShown('add')}
          >
            {t('add')}
          </Button>
        )
      }
      text={
        <>
          {t('text')} {data && <Allowed {...data} />}{' '}
          {data && data.used >= data.limit && proxy.userId === user.id && (
            <Link to={pages.subscription.path}>{t('limit.plans')}</Link>
          )}
        </>
      }
      notice={data && <Problem ports={data.ports} />}
      query={{ ...query, data: data?.ports }}
      failed={t('failed')}
      empty={t(isAvailable && data.limit > 0 ? 'empty' : 'empty.off')}
      row={(port) => (
        <PortRow
          key={port.id}
          port={port}
          shown={addressOf(port)}
          onGuide={select('guide', port)}
          manage={
            mayManage
              ? {
                  onEdit: isAvailable ? select('edit', port) : undefined,
                  onRemove: () => removal.ask(port),
                }
              : undefined
          }
        />
      )}
    >
      <AddDialog
        {...about}
        open={shown === 'add'}
        serverIP={proxy.serverIP}
        address={mine}
        host={host}
        onAdded={changed}
      />
      {selected && (
        <>
          <EditDialog
            {...about}
            open={shown === 'edit'}
            port={current ?? selected}
            shown={addressOf(selected)}
            address={mine}
            isGone={data !== undefined && !current}
            refetch={() => refetch({ throwOnError: true })}
          />
          <GuideDialog
            open={shown === 'guide'}
            port={current ?? selected}
            host={host}
            onClose={about.onClose}
          />
        </>
      )}
      {removal.dialog}
    </ItemsPanel>
  );
}

/** Why nobody can connect; of all ports the same but for their range. */
function Problem({ ports }: Pick<GamePorts, 'ports'>) {
  const t = useGamePortTexts();
  const state = ports.map((port) => port.state).find((one) => one !== 'open' && one !== 'suspended');
  if (state === undefined) return null;
  return <Alert type="warning" showIcon title={t(`problem.${state}`)} style={{ marginBottom: 16 }} />;
}

/** How many more there may be. */
function Allowed({ availability, limit, used }: GamePorts) {
  const t = useGamePortTexts();
  if (availability !== 'available') return t('unavailable');
  if (limit === 0) return t('limit.none');
  return used >= limit ? t('limit.full') : t('text.used', { used, limit });
}
