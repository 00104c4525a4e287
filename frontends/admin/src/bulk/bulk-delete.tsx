import { call, invalidateAfter, useToast } from '@talpa/panel-kit/core';
import { Button } from '@talpa/panel-kit/ui';
import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { BulkDialog, type Work } from './bulk-dialog.tsx';
import { type Outcome, runAll } from './run-all.ts';

/** Deletes the chosen rows, one call each, and says truly what came of it. */
export function BulkDelete<Row extends { readonly id: number }>(props: {
  readonly call: 'DELETE /api/admin/users/:id' | 'DELETE /api/tunnel-configs/:id';
  readonly kind: 'users' | 'proxies';
  readonly items: readonly Row[];
  readonly nameOf: (row: Row) => string;
  /** Called when it has been confirmed. */
  readonly onStart: () => void;
}) {
  const t = useAdminTexts();
  const toast = useToast();
  const client = useQueryClient();
  const [work, setWork] = useState<Work<Row> | null>(null);
  const stop = useRef<AbortController>(null);
  const run = async (items: readonly Row[], before: readonly Row[] = []) => {
    props.onStart();
    const control = new AbortController();
    stop.current = control;
    const show = (outcome: Outcome<Row>, step: 'running' | 'report') =>
      setWork({ step, items, isStopping: control.signal.aborted, outcome });
    show({ done: [], failed: [], left: items }, 'running');
    const outcome = await runAll(items, ({ id }) => call(props.call, { id }, { language: 'de' }), {
      signal: control.signal,
      progress: (now) => show(now, 'running'),
    });
    const done = [...before, ...outcome.done];
    show({ ...outcome, done }, 'report');
    if (outcome.failed.length + outcome.left.length === 0) {
      toast({ title: t('bulk.done', { count: done.length }), tone: 'success' });
      setWork(null);
    }
    // Last: the rows that are gone take this button with them.
    await invalidateAfter(client, props.call);
  };
  return (
    <>
      <Button
        danger
        type="primary"
        icon={<Trash2 size={16} aria-hidden />}
        onClick={() => setWork({ step: 'ask', items: props.items, isStopping: false, outcome: null })}
      >
        {t('bulk.delete')}
      </Button>
      <BulkDialog
        work={work}
        kind={props.kind}
        nameOf={props.nameOf}
        onConfirm={(items, before) => void run(items, before)}
        onStop={() => {
          stop.current?.abort();
          setWork((now) => now && { ...now, isStopping: true });
        }}
        onClose={() => setWork(null)}
      />
    </>
  );
}
