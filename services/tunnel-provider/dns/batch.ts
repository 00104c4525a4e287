import { z } from 'zod';
import { operation, recordId } from '../api/operation.ts';
import { recordView } from './record.ts';
import { insertRecord, patchRecord, removeRecord, replaceRecord } from './sql.ts';

const identified = z.looseObject({ id: recordId });

/** All of it or nothing, in this order: deletes, patches, puts, posts. */
export const batchRecords = operation({
  name: 'batchRecords',
  input: z.object({
    deletes: z.array(z.object({ id: recordId })).default([]),
    patches: z.array(identified).default([]),
    puts: z.array(identified).default([]),
    posts: z.array(z.looseObject({})).default([]),
  }),
  run: async ({ sql }, input) =>
    sql.begin(async (tx) => {
      const deletes: unknown[] = [];
      const patches: unknown[] = [];
      const puts: unknown[] = [];
      const posts: unknown[] = [];
      for (const { id } of input.deletes) deletes.push(await removeRecord(tx, id));
      for (const { id, ...changes } of input.patches)
        patches.push(recordView(await patchRecord(tx, id, changes)));
      for (const { id, ...body } of input.puts) puts.push(recordView(await replaceRecord(tx, id, body)));
      for (const body of input.posts) posts.push(recordView(await insertRecord(tx, body)));
      return { deletes, patches, puts, posts };
    }),
});
