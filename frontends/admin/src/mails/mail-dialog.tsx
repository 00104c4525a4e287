import type { LoggedMail, MailContent, MailDetails } from '@talpa/contracts';
import { adminMailQuery, formatMoment, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { Dialog, Tabs } from '@talpa/panel-kit/form';
import { Button, ErrorCard, type Fact, Facts, Loading, styleNonce } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { canBeSentAgain } from './can-be-sent-again.ts';
import { MailStateTag, Recipient } from './mail-facts.tsx';
import styles from './mails.module.css';
import { useMailTexts } from './texts.ts';

/** Everything that is known of an email, and what it says where that is kept. */
export function MailDialog(props: {
  readonly open: boolean;
  readonly mail: LoggedMail;
  readonly onSendAgain: (mail: LoggedMail) => void;
  readonly onClose: () => void;
}) {
  const { open, mail, onClose } = props;
  const t = useMailTexts();
  const details = useQuery({ ...adminMailQuery(mail.id), enabled: open });
  const shown = details.data ?? mail;
  return (
    <Dialog
      open={open}
      title={t('details.title', { id: mail.id })}
      onCancel={onClose}
      footer={
        <>
          {canBeSentAgain(shown) && <Button onClick={() => props.onSendAgain(shown)}>{t('again')}</Button>}
          <Button type="primary" onClick={onClose}>
            {t('close')}
          </Button>
        </>
      }
    >
      <div className={styles.details}>
        <MailFacts mail={shown} />
        {details.isPending && <Loading />}
        {details.isError && (
          <ErrorCard
            title={t('details.loadFailed')}
            error={details.error}
            retry={() => void details.refetch()}
          />
        )}
        {details.data && <Reading mail={details.data} />}
      </div>
    </Dialog>
  );
}

/** What it says; of what opens an account only when that is asked for, because the recipient sees that it was read. */
function Reading({ mail }: { readonly mail: MailDetails }) {
  const t = useMailTexts();
  const toast = useToast();
  const reading = useApiMutation('POST /api/admin/mails/:id/reading');
  const content = mail.content ?? reading.data;
  if (content) return <Content content={content} />;
  if (!mail.isGuarded)
    return (
      <p className={styles.hint}>{t(mail.state === 'kept' ? 'details.forItsReader' : 'details.hidden')}</p>
    );
  const read = () =>
    reading.mutate(
      { id: mail.id },
      { onError: ({ message }) => toast({ title: t('read.failed'), text: message, tone: 'error' }) },
    );
  return (
    <div className={styles.guarded}>
      <p className={styles.hint}>{t('details.guarded')}</p>
      <Button loading={reading.isPending} onClick={read}>
        {t('read')}
      </Button>
    </div>
  );
}

function MailFacts({ mail }: { readonly mail: LoggedMail }) {
  const t = useMailTexts();
  const { kind, state, createdAt, stateAt, nextAttemptAt, attempts, uncertainAttempts, lastAnswer } = mail;
  const facts: readonly Fact[] = [
    [t('column.user'), <Recipient key="user" mail={mail} />],
    [t('column.kind'), t(`kind.${kind}`)],
    [t('column.at'), formatMoment(createdAt, 'de')],
    [
      t('column.state'),
      <span key="state">
        <MailStateTag state={state} /> {t(`meaning.${state}`)}
      </span>,
    ],
    [t('details.stateAt'), formatMoment(stateAt, 'de')],
    [t('details.attempts'), attempts > 0 && String(attempts)],
    [t('details.uncertain'), uncertainAttempts > 0 && `${uncertainAttempts}. ${t('details.uncertain.text')}`],
    [t('details.next'), nextAttemptAt && formatMoment(nextAttemptAt, 'de')],
    [t('column.answer'), lastAnswer],
  ];
  return <Facts facts={facts.filter(([, value]) => value !== false)} as="table" />;
}

/** The text of an email. In its frame no script runs and no form is sent, so that being of our origin gives it nothing. */
function Content({ content: { subject, text, html } }: { readonly content: MailContent }) {
  const t = useMailTexts();
  // The page's policy holds inside of the frame, too.
  const shown = html.replace('<style>', `<style nonce="${styleNonce()}">`);
  const frame = (
    <iframe
      className={styles.frame}
      sandbox="allow-same-origin"
      srcDoc={shown}
      title={t('details.frame', { subject })}
    />
  );
  return (
    <section className={styles.content} aria-label={t('details.subject')}>
      <h3 className={styles.subject}>{subject}</h3>
      <Tabs
        items={[
          { key: 'html', label: t('details.html'), children: frame },
          { key: 'text', label: t('details.text'), children: <pre className={styles.text}>{text}</pre> },
        ]}
      />
    </section>
  );
}
