import type { ProxyConfig } from '@talpa/contracts';
import { edgeErrorTexts } from '@talpa/contracts/edge-errors';
import { tunnelProviders } from '@talpa/contracts/tunnel-providers';
import { panelConfig, proxyQuery, useApiMutation, useLanguage, useToast } from '@talpa/panel-kit/core';
import {
  Form,
  FormDialog,
  fields,
  inOneLine,
  ParagraphInput,
  useFieldRules,
  useLatest,
  useOpening,
} from '@talpa/panel-kit/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';
import { TextWithHost } from './unbroken-host.tsx';
import { useKept } from './use-kept.ts';
import { useStopped } from './use-stopped.ts';
import { Sight, VisitorFrame } from './visitor-frame.tsx';

const longestMessage = 500;

/** Pauses a proxy with a message for its visitors, or changes the message. */
export function PauseDialog({
  proxy,
  onClose,
}: {
  readonly proxy: ProxyConfig | null;
  readonly onClose: () => void;
}) {
  const kept = useKept(proxy);
  const opening = useOpening(proxy !== null);
  return kept && <PauseForm key={opening} open={proxy !== null} proxy={kept} onClose={onClose} />;
}

function PauseForm(props: {
  readonly open: boolean;
  readonly proxy: ProxyConfig;
  readonly onClose: () => void;
}) {
  const t = useProxyTexts();
  const toast = useToast();
  const client = useQueryClient();
  const rules = useFieldRules();
  const { open, onClose } = props;
  const { record: proxy, isGone, refetch } = useLatest(props.proxy, proxyQuery(props.proxy.id), open);
  // It stays what it was opened for: its own pause is no reason to become another dialog as it closes.
  const [isChange] = useState(proxy.paused !== null);
  const { mutateAsync } = useApiMutation('PUT /api/tunnel-configs/:id/pause');
  const { id, serverName: name, cfDomain: host, paused } = proxy;
  const pause = async ({ message }: { message: string }, seen: string) => {
    await mutateAsync({ id, message, expected: { message: paused && seen } });
    await client.invalidateQueries(proxyQuery(id));
    toast({
      title: t(isChange ? 'pause.changed' : 'pause.done'),
      text: t(isChange ? 'pause.changedText' : 'pause.doneText', { name }),
      tone: 'success',
    });
    onClose();
  };
  const { runsHere } = tunnelProviders[panelConfig().tunnelProvider];
  const field = runsHere ? 'message' : 'note';
  return (
    <FormDialog<{ message: string }>
      open={open}
      title={t(isChange ? 'pause.changeTitle' : 'pause.title', { name })}
      submit={t(isChange ? 'pause.change' : 'pause.confirm')}
      failed={t(isChange ? 'pause.changeFailed' : 'pause.failed')}
      values={{ message: paused?.message ?? '' }}
      isGone={isGone}
      stopped={useStopped(proxy)}
      describe={(_name, value) => ({ label: t(`pause.label.${field}`), text: String(value) })}
      onOutdated={refetch}
      onSubmit={(values, base) => pause(values, base.message ?? '')}
      onClose={onClose}
    >
      {!isChange && (
        <p className={styles.lead}>
          <TextWithHost
            text={t(runsHere ? 'pause.text' : 'pause.text.elsewhere', { address: host })}
            host={host}
          />
        </p>
      )}
      <Form.Item
        name="message"
        label={t(`pause.label.${field}`)}
        // The length stands beside it: it has to be short.
        extra={t(`pause.hint.${field}`)}
        rules={rules(fields.pauseMessage)}
        normalize={inOneLine}
      >
        <ParagraphInput maxLength={longestMessage} />
      </Form.Item>
      {runsHere && <Preview host={host} />}
    </FormDialog>
  );
}

/** The page as visitors see it who may come in, in the words of the page itself. */
function Preview({ host }: { readonly host: string }) {
  const language = useLanguage();
  const message = Form.useWatch<string | undefined>('message')?.trim();
  const { title, text } = edgeErrorTexts('paused', language, { host });
  return (
    <VisitorFrame host={host}>
      <Sight title={title}>
        {text}
        {message && (
          <span className={styles.words} dir="auto">
            {message}
          </span>
        )}
      </Sight>
    </VisitorFrame>
  );
}
