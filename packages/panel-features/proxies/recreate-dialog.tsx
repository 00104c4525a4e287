import type { ProxyConfig, TunnelStatus } from '@talpa/contracts';
import { proxyKey, proxyQuery, useApiMutation, useKitTexts, useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog, useCloseGone, WhileThere } from '@talpa/panel-kit/form';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useProxyTexts } from './texts.ts';
import { useKept } from './use-kept.ts';
import { useSharedServer } from './use-shared-server.ts';

/** Whether a proxy needs a new tunnel: it has none, and none is being made. */
export const lacksTunnel = (proxy: ProxyConfig) => !proxy.cfTunnelId && proxy.status !== 'pending';

interface Props {
  /** Open while there is one. */
  readonly proxy: ProxyConfig | null;
  readonly onClose: () => void;
  readonly onRecreated?: ((status: TunnelStatus) => void) | undefined;
  /** Opens the instructions. Left out where they appear by themselves. */
  readonly onInstall?: ((proxy: ProxyConfig) => void) | undefined;
}

/** Replaces a proxy's tunnel after a question, and then leads to the instructions: its connector must be installed again. */
export function RecreateDialog({ proxy, onClose, onRecreated, onInstall }: Props) {
  const t = useProxyTexts();
  const kit = useKitTexts();
  const { recreate, isPending } = useRecreate();
  const [isDone, setDone] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const isOpen = proxy !== null;
  const kept = useKept(proxy);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) setDone(false);
  }
  const { server, isShared, isLoading } = useSharedServer(isOpen ? kept : null);
  const closeGone = useCloseGone(onClose);
  const confirm = () =>
    proxy &&
    recreate(proxy, {
      onDone: (status) => {
        onRecreated?.(status);
        if (onInstall) setDone(true);
        else onClose();
      },
      onFailed: onClose,
    });
  const install = useHandover(isOpen, onClose, () => kept && onInstall?.(kept));
  return (
    <ConfirmDialog
      open={isOpen}
      title={isDone ? t('recreate.done') : t('recreate.title')}
      confirm={isDone ? t('recreate.install') : t('action.recreate')}
      cancel={isDone ? kit('close') : kit('cancel')}
      danger={!isDone}
      pending={isPending}
      onConfirm={isDone ? install : confirm}
      onCancel={onClose}
    >
      {/* Nobody confirms before they read whom it concerns. */}
      <span role="status" data-loading={isLoading || undefined}>
        {isDone ? t('recreate.doneText') : t('recreate.text', { name: kept?.serverName ?? '' })}
        {!isDone && isShared && ` ${t('recreate.others', { server: server?.name ?? '' })}`}
      </span>
      {proxy && !isPending && (
        <WhileThere key={proxy.id} record={proxy} query={proxyQuery(proxy.id)} onGone={closeGone} />
      )}
    </ConfirmDialog>
  );
}

/**
 * Closes this dialog for another that opens in its place. The focus first goes back to what opened this one: the
 * other gives it back there, and not to a button that is gone.
 */
function useHandover(isOpen: boolean, close: () => void, openNext: () => void): () => void {
  const opener = useRef<Element | null>(null);
  const [wasOpen, setWasOpen] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) opener.current = document.activeElement;
  }
  useEffect(() => {
    if (isOpen || !isLeaving) return;
    setLeaving(false);
    // A row that has got its tunnel no longer offers to make one.
    const back = opener.current?.isConnected ? opener.current : document.querySelector('h1');
    if (back instanceof HTMLElement) back.focus();
    openNext();
  }, [isOpen, isLeaving, openNext]);
  return () => {
    setLeaving(true);
    close();
  };
}

function useRecreate() {
  const t = useProxyTexts();
  const toast = useToast();
  const client = useQueryClient();
  const { mutate, isPending } = useApiMutation('POST /api/recreate-tunnel/:id');
  const recreate = (
    { id }: ProxyConfig,
    then: { readonly onDone: (status: TunnelStatus) => void; readonly onFailed: () => void },
  ) =>
    mutate(
      { id },
      {
        onSuccess: (status) => {
          void client.invalidateQueries({ queryKey: proxyKey(id) });
          then.onDone(status);
        },
        onError: ({ message }) => {
          toast({ title: t('recreate.failed'), text: message, tone: 'error' });
          then.onFailed();
        },
      },
    );
  return { recreate, isPending };
}
