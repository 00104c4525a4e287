import type { ProxyConfig } from '@talpa/contracts';
import { proxyQuery, useApiMutation } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { useQueryClient } from '@tanstack/react-query';
import { useProxyTexts } from './texts.ts';
import { TextWithHost } from './unbroken-host.tsx';

interface Options {
  /** Gives the proxy as it is shown now. */
  readonly latestOf: (proxy: ProxyConfig) => ProxyConfig;
  readonly onStart?: (() => void) | undefined;
  readonly onClose: (proxy: ProxyConfig) => void;
}

/** Deletes a proxy after a question. */
export function useDeleteProxy({ latestOf, onStart, onClose }: Options) {
  const t = useProxyTexts();
  return useConfirm(useApiMutation('DELETE /api/tunnel-configs/:id'), (asked: ProxyConfig) => {
    const { id, serverName: name, cfDomain: address } = latestOf(asked);
    return {
      title: t('delete.title'),
      text: <TextWithHost text={t('delete.text', { name, address })} host={address} />,
      confirm: t('delete.confirm'),
      input: { id },
      done: { title: t('delete.done'), text: t('delete.doneText', { name }) },
      failed: t('delete.failed'),
      query: proxyQuery(id),
      onStart,
      onClose: () => onClose(asked),
    };
  });
}

/** Lifts a proxy's own suspension after a question; for administrators. */
export function useLiftSuspension({ latestOf, onClose }: Options) {
  const t = useProxyTexts();
  const client = useQueryClient();
  return useConfirm(
    useApiMutation('DELETE /api/admin/tunnel-configs/:id/suspension'),
    (asked: ProxyConfig) => {
      const { id, serverName: name, cfDomain: address } = latestOf(asked);
      return {
        title: t('lift.title'),
        text: <TextWithHost text={t('lift.text', { name, address })} host={address} />,
        confirm: t('lift.confirm'),
        danger: false,
        input: { id },
        done: { title: t('lift.done'), text: t('lift.doneText', { name }) },
        failed: t('lift.failed'),
        query: proxyQuery(id),
        already: { isDone: ({ suspension }) => suspension?.of !== 'proxy', title: t('lift.alreadyDone') },
        onDone: () => void client.invalidateQueries(proxyQuery(id)),
        onClose: () => onClose(asked),
      };
    },
  );
}

/** Resumes a paused proxy after a question. */
export function useResumeProxy({ latestOf, onClose }: Options) {
  const t = useProxyTexts();
  const client = useQueryClient();
  return useConfirm(useApiMutation('DELETE /api/tunnel-configs/:id/pause'), (asked: ProxyConfig) => {
    const { id, serverName: name, cfDomain: address } = latestOf(asked);
    return {
      title: t('resume.title'),
      text: <TextWithHost text={t('resume.text', { name, address })} host={address} />,
      confirm: t('resume.confirm'),
      danger: false,
      input: { id },
      done: { title: t('resume.done'), text: t('resume.doneText', { name }) },
      failed: t('resume.failed'),
      query: proxyQuery(id),
      already: { isDone: ({ paused }) => paused === null, title: t('resume.alreadyDone') },
      onDone: () => void client.invalidateQueries(proxyQuery(id)),
      onClose: () => onClose(asked),
    };
  });
}
