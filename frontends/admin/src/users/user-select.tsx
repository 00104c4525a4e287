import { ApiError, adminUserQuery, call } from '@talpa/panel-kit/core';
import { Select } from '@talpa/panel-kit/form';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useAdminTexts } from '../texts/admin-texts.ts';

const shownAtOnce = 20;

/** Chooses a user by name, among all there are. */
export function UserSelect(props: {
  readonly id: string;
  /** Its name where no label names it. */
  readonly label?: string;
  readonly value: number | undefined;
  readonly placeholder: string;
  readonly onChange: (id: number | undefined) => void;
}) {
  const t = useAdminTexts();
  const { value } = props;
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const q = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: ['/api/admin/users', 'found', q],
    queryFn: ({ signal }) =>
      call(
        'GET /api/admin/users',
        { limit: shownAtOnce, sort: 'username', ...(q ? { q } : {}) },
        { signal, language: 'de' },
      ),
    enabled: open,
    placeholderData: keepPreviousData,
  });
  const chosen = useQuery({ ...adminUserQuery(value ?? 0), enabled: value !== undefined });
  const isGone = chosen.error instanceof ApiError && chosen.error.status === 404;
  const nameOfChosen = isGone ? t('user.gone', { id: value ?? 0 }) : chosen.data?.username;
  const users = found.data?.map(({ id, username }) => ({ value: id, label: username })) ?? [];
  const isListed = users.some((one) => one.value === value);
  return (
    <Select<number>
      id={props.id}
      {...(props.label ? { 'aria-label': props.label } : {})}
      allowClear
      showSearch={{ filterOption: false, onSearch: setTyped }}
      value={value ?? null}
      placeholder={props.placeholder}
      loading={open && found.isFetching}
      onOpenChange={setOpen}
      notFoundContent={found.isError ? found.error.message : t('user.notFound')}
      onChange={(id: number | undefined) => props.onChange(id ?? undefined)}
      options={
        value === undefined || isListed
          ? users
          : [{ value, label: nameOfChosen ?? t('user.number', { id: value }) }, ...users]
      }
    />
  );
}
