import type { GamePort } from '@talpa/contracts';
import { Dialog } from '@talpa/panel-kit/form';
import { LongText } from '@talpa/panel-kit/table';
import { CopyButton } from '@talpa/panel-kit/ui';
import styles from './game-ports.module.css';
import { useGamePortTexts } from './texts.ts';

/** What servers that understand the PROXY protocol are set to. */
const paper = 'proxy-protocol: true';
const velocity = 'haproxy-protocol = true';

/** How players, or programs, reach a game port. */
export function GuideDialog(props: {
  readonly open: boolean;
  readonly port: GamePort;
  readonly host: string;
  readonly onClose: () => void;
}) {
  const t = useGamePortTexts();
  const { host } = props;
  const { preset, publicPort, proxyProtocol } = props.port;
  const isMinecraft = preset === 'minecraft';
  return (
    <Dialog
      open={props.open}
      title={t('guide.title')}
      okText={t('guide.close')}
      cancelButtonProps={{ style: { display: 'none' } }}
      onOk={props.onClose}
      onCancel={props.onClose}
      destroyOnHidden
      width={520}
    >
      <p>{t(`guide.${preset}`)}</p>
      <Value label={t('guide.address')} value={`${host}:${publicPort}`} />
      {isMinecraft && (
        <section aria-label={t('guide.srv.title')}>
          <h3 className={styles.heading}>{t('guide.srv.title')}</h3>
          <p>{t('guide.srv.text')}</p>
          <Value label={t('guide.srv.name')} value="_minecraft._tcp.play.example.com" />
          <Value label={t('guide.srv.value')} value={`0 5 ${publicPort} ${host}.`} />
        </section>
      )}
      {proxyProtocol && (
        <section aria-label={t('guide.proxy.title')}>
          <h3 className={styles.heading}>{t('guide.proxy.title')}</h3>
          <p>{t('guide.proxy.text')}</p>
          {isMinecraft && (
            <>
              <Value label={t('guide.proxy.paper')} value={paper} />
              <Value label={t('guide.proxy.velocity')} value={velocity} />
            </>
          )}
        </section>
      )}
    </Dialog>
  );
}

function Value({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div className={styles.value}>
      <span className={styles.label}>{label}</span>
      <code className={styles.code}>
        <LongText text={value} />
      </code>
      <CopyButton text={value} label={label} />
    </div>
  );
}
