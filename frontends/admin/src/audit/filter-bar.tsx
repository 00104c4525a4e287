import { DateInput } from '@talpa/panel-kit/date';
import { Select } from '@talpa/panel-kit/form';
import { type ReactNode, useId } from 'react';
import { UserSelect } from '../users/user-select.tsx';
import styles from './audit.module.css';
import { type AuditAddress, actions, targetKinds } from './filter.ts';
import { useOneTargetText } from './target-name.ts';
import { useAuditPageTexts } from './texts.ts';

/** What the trail is looked through for: who, whom, what, which, when. */
export function FilterBar({ address }: { readonly address: AuditAddress }) {
  const t = useAuditPageTexts();
  const { filters, filter: set } = address;
  const { targetKind, targetId } = filters;
  const oneTargetText = useOneTargetText(targetKind, targetId);
  const oneTarget = targetKind && targetId ? `${targetKind}/${targetId}` : undefined;
  return (
    <search className={styles.filters} aria-label={t('filters')}>
      <Labelled label={t('filter.actor')}>
        {(id) => (
          <UserSelect
            id={id}
            value={filters.actor}
            placeholder={t('filter.anyone')}
            onChange={(actor) => set({ actor })}
          />
        )}
      </Labelled>
      <Labelled label={t('filter.subject')}>
        {(id) => (
          <UserSelect
            id={id}
            value={filters.subject}
            placeholder={t('filter.anyone')}
            onChange={(subject) => set({ subject })}
          />
        )}
      </Labelled>
      <Labelled label={t('filter.action')}>
        {(id) => (
          <Select
            id={id}
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            value={filters.action ?? null}
            placeholder={t('filter.allActions')}
            onChange={(action) => set({ action: action ?? undefined })}
            options={actions.map((value) => ({ value, label: t(`action.${value}`) }))}
          />
        )}
      </Labelled>
      <Labelled label={t('filter.target')}>
        {(id) => (
          <Select
            id={id}
            allowClear
            value={oneTarget ?? targetKind ?? null}
            placeholder={t('filter.allTargets')}
            onChange={(kind) =>
              set({ targetKind: targetKinds.find((one) => one === kind), targetId: undefined })
            }
            options={[
              ...(oneTarget ? [{ value: oneTarget, label: oneTargetText }] : []),
              ...targetKinds.map((value) => ({ value, label: t(`target.${value}`) })),
            ]}
          />
        )}
      </Labelled>
      {(['from', 'to'] as const).map((end) => (
        <Labelled key={end} label={t(`filter.${end}`)}>
          {(id) => <DateInput id={id} value={filters[end]} onChange={(day) => set({ [end]: day })} />}
        </Labelled>
      ))}
    </search>
  );
}

function Labelled(props: { readonly label: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className={styles.filter}>
      <label htmlFor={id}>{props.label}</label>
      {props.children(id)}
    </div>
  );
}
