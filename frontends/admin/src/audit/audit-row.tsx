import type { AuditRow, AuditTarget } from '@talpa/contracts';
import { type Repeated, useDeviceText, useRepeatedText } from '@talpa/panel-features/audit';
import { formatClock } from '@talpa/panel-kit/core';
import { Button } from '@talpa/panel-kit/ui';
import {
  Cable,
  ChevronDown,
  CreditCard,
  Fingerprint,
  KeyRound,
  KeySquare,
  Link2,
  type LucideIcon,
  Mail,
  Megaphone,
  Server,
  ShieldCheck,
  Terminal,
  Ticket,
  UserRound,
  Webhook,
} from 'lucide-react';
import { useId, useState } from 'react';
import styles from './audit.module.css';
import { AuditDetails } from './audit-details.tsx';
import { ChangeList, useRowChanges } from './changes.tsx';
import { LinkedSentence, useRowSentence } from './linked-sentence.tsx';
import { useAuditPageTexts } from './texts.ts';

const icons: Readonly<Record<AuditTarget['kind'], LucideIcon>> = {
  user: UserRound,
  proxy: Cable,
  server: Server,
  subscription: CreditCard,
  session: KeyRound,
  mail: Mail,
  invitation: Ticket,
  announcement: Megaphone,
  channel: Webhook,
  installationChannel: Webhook,
  passkey: Fingerprint,
  apiKey: KeySquare,
  enrolmentKey: Terminal,
  identity: Link2,
  certificate: ShieldCheck,
};

/** One row of the trail, or several that repeat each other; what they hold beside the sentence unfolds below. */
export function AuditListRow({ rows }: { readonly rows: Repeated<AuditRow> }) {
  const [row] = rows;
  const repeated = useRepeatedText()(rows);
  const t = useAuditPageTexts();
  const [open, setOpen] = useState(false);
  const detailsId = useId();
  const sentence = useRowSentence()(row);
  const { turned } = useRowChanges(row);
  const Icon = icons[row.target.kind];
  return (
    <li className={styles.row}>
      <div className={styles.line}>
        <span className={styles.icon}>
          <Icon size={16} aria-hidden />
        </span>
        <div className={styles.said}>
          <p className={styles.sentence}>
            <LinkedSentence row={row} />
          </p>
          {repeated && <p className={styles.whence}>{repeated}</p>}
          <ChangeList changes={turned} />
          <ClientLine row={row} />
        </div>
        <time className={styles.time} dateTime={row.at}>
          {formatClock(row.at, 'de')}
        </time>
        <span className={styles.toggle} data-open={open}>
          <Button
            type="text"
            aria-label={t(open ? 'row.hide' : 'row.show', { sentence })}
            aria-expanded={open}
            aria-controls={detailsId}
            icon={<ChevronDown size={16} aria-hidden />}
            onClick={() => setOpen(!open)}
          />
        </span>
      </div>
      <div id={detailsId} hidden={!open}>
        {open && rows.map((one) => <AuditDetails key={one.id} row={one} />)}
      </div>
    </li>
  );
}

/** From where it was done, in a few words. */
function ClientLine({ row: { client, actor } }: { readonly row: AuditRow }) {
  const t = useAuditPageTexts();
  const device = useDeviceText();
  if (!actor && !client) return <p className={styles.whence}>{t('row.inside')}</p>;
  if (!client) return <p className={styles.whence}>{t('row.noAddress')}</p>;
  return (
    <p className={styles.whence}>
      {[client.address, client.userAgent && device(client.userAgent)].filter(Boolean).join(' · ')}
    </p>
  );
}
