import type { Server } from '@talpa/contracts';
import { formatList, proxiesQuery, serverKey, useApiMutation, useLanguage } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useServerTexts } from './texts.ts';

/** Gives a server another token after a question that says what is away until its connector has it. */
export function useNewToken(onDone?: () => void) {
  const t = useServerTexts();
  const language = useLanguage();
  const client = useQueryClient();
  const { data: proxies = [] } = useQuery(proxiesQuery);
  return useConfirm(useApiMutation('POST /api/servers/:id/recreate'), ({ id, name, proxyIds }: Server) => {
    const behind = proxies.filter((proxy) => proxyIds.includes(proxy.id)).map(({ serverName }) => serverName);
    const away = behind.length > 0 && t('token.new.away', { names: formatList(behind, language) });
    return {
      title: t('token.new.title'),
      text: (
        <>
          {t('token.new.text', { name })} {away}
        </>
      ),
      confirm: t('token.new.submit'),
      input: { id },
      done: { title: t('token.new.done'), text: t('token.new.doneText') },
      failed: t('token.new.failed'),
      onDone: () => {
        void client.invalidateQueries({ queryKey: serverKey(id) });
        onDone?.();
      },
    };
  });
}
