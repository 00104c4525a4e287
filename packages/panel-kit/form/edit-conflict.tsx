import { Alert, Button } from 'antd';
import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { Change } from '../ui/change.tsx';
import styles from './edit-conflict.module.css';
import type { Base, FieldChange } from './use-base.ts';

/** How a field of a record is named and its value read to the user. */
export type DescribeField = (
  name: string,
  value: unknown,
) => { readonly label: string; readonly text: string };

/** Which values the user has chosen. */
export type ConflictChoice = 'theirs' | 'mine';

/** What a form does with the choice that has to be made before it can be saved. */
export interface ConflictHandle {
  /** Brings it into view. */
  show(): void;
  /** Somebody wants to save: says that the choice comes first, and gives it the focus. */
  ask(): void;
}

interface Props<V> {
  readonly base: Base<V>;
  readonly describe: DescribeField;
  /** Gives the focus to a field: the buttons of the choice are gone. */
  readonly onChosen: (choice: ConflictChoice) => void;
  readonly ref?: Ref<ConflictHandle>;
}

/** Says that the record has changed under its open form, and lets the user choose which values count. */
export function EditConflict<V>(props: Props<V>) {
  const t = useKitTexts();
  const { conflict, followed } = props.base;
  if (conflict.length > 0) return <Choice {...props} />;
  if (followed.length === 0) return null;
  return (
    <div className={styles.notice}>
      <Alert
        type="info"
        showIcon
        role="status"
        title={t('conflict.followed')}
        description={<Changes changes={followed} describe={props.describe} />}
      />
    </div>
  );
}

function Choice<V>({ base, describe, onChosen, ref }: Props<V>) {
  const t = useKitTexts();
  const notice = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState(0);
  useImperativeHandle(ref, () => ({
    show: () => notice.current?.scrollIntoView({ block: 'center' }),
    ask: () => {
      setAsked((times) => times + 1);
      notice.current?.querySelector('button')?.focus();
    },
  }));
  const choose = (choice: ConflictChoice) => {
    if (choice === 'mine') base.keepMine();
    else base.takeTheirs();
    onChosen(choice);
  };
  return (
    <div ref={notice} className={styles.notice}>
      <Alert
        type="warning"
        showIcon
        role="alert"
        title={t('conflict.title')}
        description={
          <>
            <Changes changes={base.conflict} describe={describe} />
            <div className={styles.choices}>
              <Button onClick={() => choose('theirs')}>{t('conflict.theirs')}</Button>
              <Button onClick={() => choose('mine')}>{t('conflict.mine')}</Button>
            </div>
          </>
        }
      />
      {/* A new element each time: else a screen reader says it only once. */}
      {asked > 0 && (
        <p key={asked} role="alert" className={styles.first}>
          {t('conflict.first')}
        </p>
      )}
    </div>
  );
}

const empty = '–';

function Changes({
  changes,
  describe,
}: {
  readonly changes: readonly FieldChange[];
  readonly describe: DescribeField;
}) {
  return (
    <ul className={styles.changes}>
      {changes.map(({ name, from, to }) => {
        const { label, text } = describe(name, from);
        return (
          <li key={name}>
            <Change label={label} from={text || empty} to={describe(name, to).text || empty} />
          </li>
        );
      })}
    </ul>
  );
}
