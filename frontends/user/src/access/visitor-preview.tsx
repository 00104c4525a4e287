import { edgeErrors } from '@talpa/contracts/edge-errors';
import { type WallText, wallText } from '@talpa/contracts/wall-texts';
import { Sight, VisitorFrame } from '@talpa/panel-features/proxies';
import { useLanguage } from '@talpa/panel-kit/core';
import styles from './access.module.css';
import type { PolicyValues } from './policy-values.ts';
import { useAccessTexts } from './texts.ts';

interface Props {
  readonly values: PolicyValues;
  /** The proxy's public name. */
  readonly host: string;
  /** Whether visitors can sign in at Talpa. */
  readonly signIn: boolean;
}

/** What a visitor sees who opens a proxy's address, in the words of the pages themselves. */
export function VisitorPreview(props: Props) {
  return (
    <VisitorFrame host={props.host}>
      <Seen {...props} />
    </VisitorFrame>
  );
}

function Seen({ values, host, signIn }: Props) {
  const t = useAccessTexts();
  const language = useLanguage();
  const { kind, rules, otherwise } = values;
  if (kind === 'wall') return <Wall values={values} host={host} signIn={signIn} />;
  if (kind === 'open' || otherwise === 'allow')
    return (
      <Sight title={t('preview.panel')}>
        {kind === 'open' ? t('preview.panel.text') : t('preview.panel.rules')}
      </Sight>
    );
  return (
    <>
      <Sight title={t('preview.panel')}>{t(rules.length > 0 ? 'preview.allowed' : 'preview.nobody')}</Sight>
      <Sight title={edgeErrors.access_denied.title[language]}>{t('preview.others')}</Sight>
    </>
  );
}

/** The wall as the edge shows it; nothing of it can be pressed. */
function Wall({ values: { methods, require }, host, signIn }: Props) {
  const t = useAccessTexts();
  const language = useLanguage();
  const say = (key: WallText) => wallText(key, language, { host });
  const typed = (['pin', 'password', 'email'] as const).filter((method) => methods.includes(method));
  return (
    <div className={styles.sight}>
      <strong>{say('title')}</strong>
      <span className={styles.hint}>{say(require === 'all' && methods.length > 1 ? 'textAll' : 'text')}</span>
      {typed.map((method) => (
        <span key={method} className={styles.mockRow}>
          <span className={styles.mockField}>{say(method)}</span>
          <span className={styles.mockButton}>{say(method === 'email' ? 'sendCode' : 'submit')}</span>
        </span>
      ))}
      {signIn && (
        <span className={styles.mockLink}>{say(methods.includes('member') ? 'member' : 'owner')}</span>
      )}
      {methods.length === 0 && <span className={styles.hint}>{t('preview.noWay')}</span>}
    </div>
  );
}
