import type { LoggedMail } from '@talpa/contracts';
import { mailSetUpQuery, pageQuery, useApiMutation, useHeadOf, useToast } from '@talpa/panel-kit/core';
import { anId, ListFrame, oneOf, useListAddress } from '@talpa/panel-kit/table';
import { Alert, Awaited, Button, EmptyState, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Mail, Send } from 'lucide-react';
import { pages } from '../pages.ts';
import { useMailName } from './mail-facts.tsx';
import { useMailRows } from './mail-rows.tsx';
import { useMailTexts } from './texts.ts';
import { de } from './texts-de.ts';
import { useMailDialog } from './use-mail-dialog.tsx';

const below = <T extends string>(prefix: string) =>
  Object.keys(de).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length) as T] : []));
const kinds = below<LoggedMail['kind']>('kind.');
const states = below<LoggedMail['state']>('state.');
const options = { sorts: [], filters: { state: oneOf(states), kind: oneOf(kinds), userId: anId } } as const;

/** To whom the panel has written, and what has become of it. */
export function MailsPage() {
  const t = useMailTexts();
  const head = useHeadOf(pages.mails);
  const toast = useToast();
  const address = useListAddress(options);
  const mails = useQuery(pageQuery('GET /api/admin/mails', address.input, { language: 'de' }));
  const setUp = useQuery(mailSetUpQuery);
  const nameOf = useMailName();
  const test = useApiMutation('POST /api/admin/test-mail');
  const { onShow, onSendAgain, dialog } = useMailDialog();
  const sendTest = () =>
    test.mutate(
      {},
      {
        onSuccess: () => toast({ title: t('test.done'), text: t('test.doneText'), tone: 'success' }),
        onError: ({ message }) => toast({ title: t('test.failed'), text: message, tone: 'error' }),
      },
    );
  const shape = useMailRows({ onShow, onSendAgain });
  return (
    <Page
      {...head}
      actions={
        <Button icon={<Send size={15} aria-hidden />} loading={test.isPending} onClick={sendTest}>
          {t('test')}
        </Button>
      }
    >
      {setUp.isLoading && <Awaited />}
      {setUp.data?.isSetUp === false && (
        <Alert type="info" showIcon title={t('setup.missing')} description={t('setup.missing.text')} />
      )}
      <Panel label={t('list')} flush>
        <ListFrame
          query={mails}
          address={address}
          nameOf={nameOf}
          search={t('search')}
          filters={[
            {
              name: 'state',
              label: t('column.state'),
              all: t('everyState'),
              options: states.map((value) => ({ value, label: t(`state.${value}`) })),
            },
            {
              name: 'kind',
              label: t('column.kind'),
              all: t('everyKind'),
              options: kinds.map((value) => ({ value, label: t(`kind.${value}`) })),
            },
          ]}
          orders={[]}
          loadFailed={t('loadFailed')}
          empty={
            <EmptyState icon={<Mail size={22} aria-hidden />} title={t('empty')} text={t('empty.text')} />
          }
          shape={shape}
        />
      </Panel>
      {dialog}
    </Page>
  );
}
