import { Alert, Button } from 'antd';
import type { Ref } from 'react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { Change } from '../ui/change.tsx';
import styles from './edit-conflict.module.css';
import type { Base, FieldChange } from './use-base.ts';

/** How a field of a record is named and its value read to the user. */
export type DescribeField = (
  name: string,
  value: unknown,
) => { readonly label: string; readonly text: string };

/** Says that the record has changed under its open form, and lets the user choose which values count. */
export function EditConflict<V>(props: {
  readonly base: Base<V>;
  readonly describe: DescribeField;
  readonly ref?: Ref<HTMLDivElement>;
}) {
  const t = useKitTexts();
  const { conflict, followed, takeTheirs, keepMine } = props.base;
  if (conflict.length > 0)
    return (
      <div ref={props.ref} className={styles.notice}>
        <Alert
          type="warning"
          showIcon
          role="alert"
          title={t('conflict.title')}
          description={
            <>
              <Changes changes={conflict} describe={props.describe} />
              <div className={styles.choices}>
                <Button onClick={takeTheirs}>{t('conflict.theirs')}</Button>
                <Button onClick={keepMine}>{t('conflict.mine')}</Button>
              </div>
            </>
          }
        />
      </div>
    );
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
