import { z } from 'zod';
import { operation, recordId } from '../api/operation.ts';
import { recordView } from './record.ts';
import { patchRecord } from './sql.ts';

/** PATCH: what is not named stays. */
export const editRecord = operation({
  name: 'editRecord',
  input: z.looseObject({ recordId }),
  run: async ({ sql }, { recordId: id, ...changes }) =>
    sql.begin(async (tx) => recordView(await patchRecord(tx, id, changes))),
});
